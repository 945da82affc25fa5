/** Limits by wager, and clocks: what is typed is kept as the table has it, in cents and milliseconds. */
import { useEffect } from "preact/hooks";
import { centsOf, dollars } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import type { FieldProps } from "./Fields";
import { say, named } from "./say";

interface Limit {
  minimum_cents: number;
  maximum_cents: number;
  step_cents: number;
}

const PARTS = ["minimum_cents", "maximum_cents", "step_cents"] as const;

export function LimitsField({ desk, field, draft, onHeld }: FieldProps) {
  const wagers = desk.view.rules?.wagers ?? [];
  const held = (draft[field.name] ?? {}) as Record<string, Limit>;
  const change = (slug: string, part: (typeof PARTS)[number], text: string): void => {
    const wager = wagers.find((one) => one.slug === slug);
    const cents = centsOf(text);
    if (wager === undefined || cents === null) return;
    const { minimum_cents, maximum_cents, step_cents } = wager;
    onHeld({ ...held, [slug]: { minimum_cents, maximum_cents, step_cents, ...held[slug], [part]: cents } });
  };
  return (
    <div class="tblbox">
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">{named("field", "wager")}</th>
            {PARTS.map((part) => (
              <th key={part} scope="col">
                {named("field", part)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {wagers.map((wager) => (
            <tr key={wager.slug}>
              <td>{wagerName(wager.slug, wager.name)}</td>
              {PARTS.map((part) => (
                <td key={part}>
                  <input
                    class="in num"
                    inputMode="decimal"
                    aria-label={`${wager.name}, ${named("field", part)}`}
                    defaultValue={dollars((held[wager.slug] ?? wager)[part])}
                    onChange={(e) => change(wager.slug, part, e.currentTarget.value)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const CLOCKS = { betting_ms: 15_000, pause_ms: 5_000, pace_ms: 600, answer_ms: 20_000 } as const;
type ClockName = keyof typeof CLOCKS;

export function ClocksField({ field, draft, onHeld }: FieldProps) {
  const held = (draft[field.name] ?? { ...CLOCKS, waits_for_patrons: true }) as Record<string, number | boolean>;
  useEffect(() => {
    if (draft[field.name] === undefined) onHeld(held);
  }, [field.name]);
  return (
    <div class="two">
      {(Object.keys(CLOCKS) as ClockName[]).map((name) => (
        <label key={name} class="fld">
          {named("field", name)}
          <input
            class="in num"
            inputMode="decimal"
            defaultValue={String(Number(held[name]) / 1000)}
            onChange={(e) => onHeld({ ...held, [name]: Math.round(Number(e.currentTarget.value) * 1000) || 0 })}
          />
          <small>{say("seconds")}</small>
        </label>
      ))}
      <button
        type="button"
        class="swrow"
        role="switch"
        aria-checked={held["waits_for_patrons"] === true}
        onClick={() => onHeld({ ...held, waits_for_patrons: held["waits_for_patrons"] !== true })}
      >
        <span class="grow">{named("field", "waits_for_patrons")}</span>
        <span class="sw" />
      </button>
    </div>
  );
}
