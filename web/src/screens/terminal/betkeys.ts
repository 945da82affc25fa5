/** The keys that put chips down, at one table or at the one in hand of several; and those that open sheets. */
import { arrows, type Keys } from "../../parts/keys";
import { useTray } from "./Foot";
import { prefer, preferences } from "./preferences";
import { useSlipActs } from "./slipacts";
import { openSheet, useHere } from "./table";
import { say } from "./words";

export function useBetKeys(): Keys {
  const { view, betting } = useHere();
  const tray = useTray();
  const acts = useSlipActs();
  const spot = (slug: string) => ({
    does: say("key_main"),
    press: (): boolean => {
      const wager = view.rules?.wagers.find((one) => one.slug === slug);
      const { chip } = preferences.peek();
      if (wager === undefined || chip === null || !betting.able.peek()) return false;
      betting.tap(wager, chip);
      return true;
    },
  });
  return {
    ...Object.fromEntries(tray.slice(0, 9).map((value, place) => [String(place + 1), { does: say("key_chips"), press: () => prefer("chip", value) }])),
    p: spot("player"),
    b: spot("banker"),
    t: spot("tie"),
    ...arrows(say("key_arrows")),
    Enter: { does: say("key_enter") },
    Delete: { does: say("key_delete") },
    z: { does: say("undo"), press: acts.undo.press },
    x: { does: say("clear"), press: acts.clear.press },
    r: { does: say("repeat"), press: acts.repeat.press },
    d: { does: say("double"), press: acts.double.press },
    c: { does: say("confirm"), press: betting.confirm },
  };
}

/** What opens beside the felt, also for whoever has not sat down yet. */
export function useSheetKeys(): Keys {
  const { name, sheet, own } = useHere();
  // What the table asks stands before every sheet: a key opens and closes none behind it.
  const toggle = (wanted: string) => () => own.option === null && openSheet(name, sheet === wanted ? null : wanted);
  return {
    a: { does: say("keyAttendant"), press: toggle("attendant") },
    "?": { does: say("keysTitle"), press: toggle("keys") },
  };
}
