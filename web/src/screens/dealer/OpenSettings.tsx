/** The settings of a table that opens, as a form. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Figure } from "../../parts/Figure";
import { useLoaded } from "../../state/loaded";
import type { FieldProps } from "./Fields";
import { named, say } from "./say";
import { type Choices, type GameListed, hasMethods, settingsOf, usual } from "./settling";

type Money = "mainMinimum" | "mainMaximum" | "sideMinimum" | "sideMaximum" | "step" | "differential";

function Segments<V extends string | number | null>(props: {
  label: string;
  value: V;
  values: readonly V[];
  nameOf?: (value: V) => string;
  onValue: (value: V) => void;
}) {
  return (
    <div class="q">
      <h4>{props.label}</h4>
      <div class="seg wraps" role="radiogroup" aria-label={props.label}>
        {props.values.map((value) => (
          <button key={String(value)} type="button" role="radio" aria-checked={value === props.value} onClick={() => props.onValue(value)}>
            {props.nameOf?.(value) ?? String(value)}
          </button>
        ))}
      </div>
    </div>
  );
}

const decksOf = (game: GameListed): number[] =>
  Array.from({ length: game.decks.max - game.decks.min + 1 }, (_, i) => game.decks.min + i);

function MoneyFields({ chosen, onChange }: { chosen: Choices; onChange: (name: Money, cents: number) => void }) {
  const names: Money[] = ["mainMinimum", "mainMaximum", "sideMinimum", "sideMaximum", "step", "differential"];
  return (
    <div class="two">
      {names
        .filter((name) => name !== "differential" || chosen.differential !== null)
        .map((name) => (
          <label key={name} class="fld">
            {named("opening", name)}
            <Figure kind="cents" value={chosen[name]} onValue={(cents) => cents !== null && onChange(name, cents)} />
          </label>
        ))}
    </div>
  );
}

export function SettingsField({ desk, field, onHeld }: FieldProps) {
  const [loaded] = useLoaded<GameListed[]>("/games");
  const games = loaded.value.value ?? [];
  const chosen = useSignal<Choices | null>(null);
  const game = games.find((one) => one.game === chosen.value?.game);
  const tell = (next: Choices): void => {
    chosen.value = next;
    const told = games.find((one) => one.game === next.game);
    if (told !== undefined) onHeld(settingsOf(told, next));
  };
  useEffect(() => {
    const first = games.find((one) => desk.table.startsWith(one.game)) ?? games[0];
    if (chosen.peek() === null && first !== undefined) tell(usual(first));
  }, [games.length]);
  if (chosen.value === null || game === undefined) return <p class="muted">{say("loadingGames")}</p>;
  const now = chosen.value;
  return (
    <div class="stack16" data-field={field.name}>
      <label class="fld">
        {named("opening", "game")}
        <select
          class="in"
          value={now.game}
          onChange={(e) => {
            const next = games.find((one) => one.game === e.currentTarget.value);
            if (next !== undefined) tell(usual(next));
          }}
        >
          {games.map((one) => (
            <option key={one.game} value={one.game}>
              {one.name} · {one.rulebook} v{one.version}
            </option>
          ))}
        </select>
      </label>
      <Segments label={named("opening", "decks")} value={now.decks} values={decksOf(game)} onValue={(decks) => tell({ ...now, decks })} />
      {hasMethods(game) && (
        <Segments label={named("opening", "method")} value={now.method} values={["A", "B", "C"] as const} onValue={(method) => tell({ ...now, method })} />
      )}
      <Segments
        label={named("opening", "device")}
        value={now.device}
        values={["virtual", "reading", "hand"] as const}
        nameOf={(device) => named("device", device)}
        onValue={(device) => tell({ ...now, device, house: device === "virtual" && now.house })}
      />
      <div class="two">
        <label class="fld">
          {named("opening", "room")}
          <input class="in" value={now.room} onInput={(e) => tell({ ...now, room: e.currentTarget.value })} />
        </label>
        <label class="fld">
          {named("opening", "positions")}
          <Figure kind="whole" value={now.positions} onValue={(positions) => positions !== null && tell({ ...now, positions })} />
        </label>
      </div>
      <MoneyFields chosen={now} onChange={(name, cents) => tell({ ...now, [name]: cents })} />
      {now.device === "virtual" && game.rulebook !== "EB4" && (
        <button type="button" class="swrow" role="switch" aria-checked={now.house} onClick={() => tell({ ...now, house: !now.house })}>
          <span class="grow">{named("opening", "house")}</span>
          <span class="sw" />
        </button>
      )}
    </div>
  );
}
