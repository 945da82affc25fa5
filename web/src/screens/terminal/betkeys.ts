/** The keys that put chips down, at one table or at the one in hand of several. */
import type { Keys } from "../../parts/keys";
import { useTray } from "./Foot";
import { prefer, preferences } from "./preferences";
import { useSlipActs } from "./slipacts";
import { useHere } from "./table";

export function useBetKeys(): Keys {
  const { view, betting } = useHere();
  const tray = useTray();
  const acts = useSlipActs();
  const spot = (slug: string) => (): boolean => {
    const wager = view.rules?.wagers.find((one) => one.slug === slug);
    const { chip } = preferences.peek();
    if (wager === undefined || chip === null || !betting.able.peek()) return false;
    betting.tap(wager, chip);
    return true;
  };
  return {
    ...Object.fromEntries(tray.slice(0, 9).map((value, place) => [String(place + 1), () => prefer("chip", value)])),
    p: spot("player"),
    b: spot("banker"),
    t: spot("tie"),
    z: acts.undo.press,
    x: acts.clear.press,
    r: acts.repeat.press,
    d: acts.double.press,
    c: betting.confirm,
  };
}
