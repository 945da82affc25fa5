/** Limits by wager, and clocks: what is typed is kept as the table has it, in cents and milliseconds. */
import { useEffect } from "preact/hooks";
import { centsOf, dollars } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import type { FieldProps } from "./Fields";
import { say, named } from "./say";
import { CLOCKS, clocksNow, limitsNow, type LimitsByWager } from "./settingsnow";

const PARTS = ["minimum_cents", "maximum_cents", "step_cents"] as const;

export function LimitsField({ desk, field, draft, onHeld }: FieldProps) {
  const wagers = desk.view.rules?.wagers ?? [];
  const held = (draft[field.name] ?? limitsNow(desk.view)) as LimitsByWager;
  const change = (slug: string, part: (typeof PARTS)[number], text: string): void => {
    const limit = held[slug];
    const cents = centsOf(text);
    if (limit !== undefined && cents !== null) onHeld({ ...held, [slug]: { ...limit, [part]: cents } });
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
                    aria-label={`${wagerName(wager.slug, wager.name)}, ${named("field", part)}`}
                    defaultValue={dollars((held[wager.slug] ?? wager)[part] ?? 0)}
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

export function ClocksField({ desk, field, draft, onHeld }: FieldProps) {
  const held = (draft[field.name] ?? clocksNow(desk.view)) as Record<string, number | boolean>;
  useEffect(() => {
    if (draft[field.name] === undefined) onHeld(held);
  }, [field.name]);
  return (
    <div class="two">
      {CLOCKS.map((name) => (
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
