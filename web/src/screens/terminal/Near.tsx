/** An own limit that is near is told once, calmly; at the limit it is said what is not possible any more. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { barredWords } from "../../i18n/barred";
import { moment, money } from "../../i18n/money";
import { announce } from "../../parts/announce";
import { Icon } from "../../parts/Icon";
import { keep, kept, ownPlace } from "../../state/kept";
import { nearKey, nearToSay, type Near } from "./model/near";
import { duration } from "./played";
import { openSheet, useHere } from "./table";
import { say } from "./words";

const place = (what: "read" | "heard"): string => ownPlace(`near-${what}`, "");
const known = (what: "read" | "heard"): string[] => {
  const keys = kept(place(what));
  return Array.isArray(keys) ? keys.filter((one) => typeof one === "string") : [];
};
const note = (what: "read" | "heard", near: Near): void => keep(place(what), [...known(what).filter((one) => one !== nearKey(near)), nearKey(near)]);
const readings = signal(0);

export function read(near: readonly Near[]): void {
  for (const one of near) note("read", one);
  readings.value += 1;
}

/** What is left of a limit, or until when it bars. */
export const leftWords = (near: Near): string =>
  near.left === 0 ? say("reachedUntil", { time: moment(near.until) }) : say("leftOf", { left: near.limit === "time" ? duration(near.left) : money(near.left) });

function nearWords(near: Near): string {
  const { limit, value, left } = near;
  if (limit === "time") {
    return left === 0 ? barredWords({ code: "own_time_limit", sentence: "", since: null, until: near.until }) : say("nearTime", { left: duration(left), value: duration(value) });
  }
  return left === 0 ? say("reachedLoss", { value: money(value), time: moment(near.until) }) : say("nearLoss", { used: money(value - left), value: money(value) });
}

/** Screen readers hear of every limit once, whatever else stands in the message line. */
export function useNearHeard(): void {
  const near = useHere().betting.left.value?.near ?? [];
  useEffect(() => {
    const fresh = near.filter((one) => !known("heard").includes(nearKey(one)));
    if (fresh.length === 0) return;
    announce(fresh.map(nearWords).join(" "));
    for (const one of fresh) note("heard", one);
  }, [near.map(nearKey).join()]);
}

/** What is to be said of own limits in place of a hint; null: nothing. */
export function useNear(): Near | null {
  void readings.value;
  return nearToSay(useHere().betting.left.value?.near ?? [], known("read"));
}

export function NearNote({ near }: { near: Near }) {
  const { name } = useHere();
  return (
    <p class="hint near boxed" data-near={near.limit}>
      <Icon name="info" />
      <span>{nearWords(near)}</span>{" "}
      <button class="btn small" onClick={() => openSheet(name, "time")}>
        {say("timeButton")}
      </button>
      {near.left > 0 && (
        <button class="btn small" onClick={() => read([near])}>
          {say("understood")}
        </button>
      )}
    </p>
  );
}
