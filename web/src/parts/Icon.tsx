import { icon, type IconName } from "../draw/icons";
import { Svg } from "../draw/Svg";

export type { IconName };

/** An icon beside words, or in a button that has a name. */
export function Icon(props: { name: IconName; size?: "small" | "large" }) {
  return <Svg of={icon(props.name)} class={props.size} />;
}
