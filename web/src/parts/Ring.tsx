import { ring } from "../draw/ring";
import { Svg } from "../draw/Svg";
import { say } from "../i18n/common";
import { secondsUntil } from "../state/clock";

/** The seconds until a moment of the house, as a ring that steps once a second; silent. */
export function Ring(props: { until: string | null | undefined; of: number }) {
  const left = secondsUntil(props.until);
  if (left === null) return null;
  return (
    <span class="ringbox dr" role="timer" aria-live="off" aria-label={say("seconds", { n: left })}>
      <Svg of={ring(left, Math.max(props.of, left))} label="" />
    </span>
  );
}
