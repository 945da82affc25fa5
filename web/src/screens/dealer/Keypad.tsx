/** Entering a card by hand: suits or elements, thirteen ranks, Enter; and the same by two keys. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { cardName, type Deck, indexOf, IVORY } from "../../draw/cards";
import { pip, suitName } from "../../draw/suits";
import { Svg } from "../../draw/Svg";
import { drawLanguage } from "../../parts/Card";
import { Icon } from "../../parts/Icon";
import { type Keys, useKeys } from "../../parts/keys";
import { settings } from "../../state/settings";
import { coloursOf, EMPTY, type Entry, entered, keyOf, keysOf, ranksOf, typed } from "./entry";
import { say } from "./say";

export function Keypad(props: {
  deck: Deck;
  /** What the keypad is for, above it. */
  title: string;
  hint?: string;
  entry: Entry;
  onEntry: (entry: Entry) => void;
  onEnter: (face: string) => void;
  disabled?: boolean;
  children?: ComponentChildren;
}) {
  const { deck, entry } = props;
  const language = drawLanguage();
  const face = entered(entry);
  const how = useId();
  const keys: Keys = {};
  for (const key of keysOf(deck)) {
    keys[key] = () => {
      const next = typed(deck, entry, key);
      if (next === null) return false;
      props.onEntry(next);
      return undefined;
    };
  }
  useKeys(props.disabled ? {} : keys);
  const shownKeys = entry.colour === null ? "" : keyOf(deck, entry.colour);
  const rankKey = entry.rank === null ? "…" : keyOf(deck, entry.rank);
  return (
    <section class="pad" aria-label={props.title}>
      <header>
        {props.title} {props.hint !== undefined && <span class="dim">{props.hint}</span>}
        <span class="end tag" id={how}>
          {settings.value.keys ? (
            <>
              <Icon name="keyboard" />
              {shownKeys === "" ? say("keysHint", { keys: coloursOf(deck).map((one) => keyOf(deck, one)).join(" ") }) : say("keyThen", { first: shownKeys, then: rankKey })}
            </>
          ) : (
            say(deck === 52 ? "suitThenRank" : "elementThenRank")
          )}
        </span>
      </header>
      <div class={`suits of${coloursOf(deck).length}`} role="radiogroup" aria-label={say(deck === 52 ? "suit" : "element")}>
        {coloursOf(deck).map((colour) => (
          <button
            key={colour}
            role="radio"
            aria-checked={entry.colour === colour}
            aria-label={suitName(colour, language)}
            disabled={props.disabled}
            style={{ background: IVORY }}
            onClick={() => props.onEntry({ colour, rank: entry.rank })}
          >
            <span class="dr">
              <Svg of={pip(colour, { fourColours: settings.value.fourColours })} label="" />
            </span>
          </button>
        ))}
      </div>
      <div class="ranks">
        {ranksOf(deck).map((rank) => (
          <button
            key={rank}
            aria-pressed={entry.rank === rank}
            disabled={props.disabled}
            onClick={() => props.onEntry({ colour: entry.colour, rank })}
          >
            {indexOf(rank)}
            {rank.length > 1 && <small>{rank}</small>}
          </button>
        ))}
        <button
          class={face === null ? "ok" : "ok ready"}
          disabled={face === null || props.disabled}
          aria-describedby={face === null ? how : undefined}
          aria-label={face === null ? say("enter") : say("enterCard", { card: cardName(face, language) })}
          onClick={() => face !== null && props.onEnter(face)}
        >
          {say("enter")}
        </button>
      </div>
      {props.children}
    </section>
  );
}

/** An entry that is kept here, for forms. */
export function useEntry(): { entry: Entry; set: (entry: Entry) => void } {
  const entry = useSignal<Entry>(EMPTY);
  return { entry: entry.value, set: (next) => void (entry.value = next) };
}
