/** Reporting an irregularity: what happened, two questions, the ruling; nothing is sent before it was seen. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Situation } from "../../api/types";
import { say as common } from "../../i18n/common";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Answer } from "./Answer";
import type { Desk } from "./context";
import { Foot } from "./Foot";
import { begun, dropHalf, type Half, keepHalf, keptHalf, stillOpen } from "./half";
import { type Reason, WhyNoAct, whyNoReport } from "./mayNot";
import { named, say } from "./say";
import { canReport, found, GROUPS } from "./situations";
import { Top } from "./Top";

function Choosing({ desk, onChosen }: { desk: Desk; onChosen: (situation: Situation) => void }) {
  const words = useSignal("");
  const why = useSignal<{ what: string; why: Reason } | null>(null);
  const nameOf = (situation: Situation): string => `${named("situation", situation)} ${named("hint", situation)}`;
  const back = (): void => void (desk.mode.value = { kind: "round" });
  useKeys({ Escape: back });
  const press = async (situation: Situation): Promise<void> => {
    if (canReport(desk.part, situation)) onChosen(situation);
    else why.value = { what: named("situation", situation), why: await whyNoReport(desk, situation) };
  };
  return (
    <div class="dealer app full">
      <Top desk={desk} />
      <main class="mid">
        <div class="rtitle">
          <div>
            <div class="crumb">
              <b>1 {say("crumb.what")}</b> · 2 {say("crumb.answer")} · 3 {say("crumb.send")}
            </div>
            <h2>{say("whatHappened")}</h2>
            <p role="status">{why.value === null ? say("notHeldYet") : <WhyNoAct {...why.value} />}</p>
          </div>
          <label class="fld">
            {say("find")}
            <input class="in" placeholder={say("findHint")} value={words.value} onInput={(e) => void (words.value = e.currentTarget.value)} />
          </label>
        </div>
        <div class="groups">
          {GROUPS.map(({ name, icon, situations }) => {
            const shown = found(situations, words.value, nameOf);
            if (shown.length === 0) return null;
            return (
              <section key={name} class={`gr g-${name} ${name === "cards" ? "two2" : ""}`} aria-label={named("group", name)}>
                <h3>
                  <span class="ic">
                    <Icon name={icon} />
                  </span>
                  {named("group", name)}
                </h3>
                {shown.map((situation) => {
                  const can = canReport(desk.part, situation);
                  return (
                    <button key={situation} aria-disabled={!can} aria-describedby={can ? undefined : "foot-line"} onClick={() => void press(situation)}>
                      {named("situation", situation)}
                      <span>{named("hint", situation)}</span>
                    </button>
                  );
                })}
              </section>
            );
          })}
        </div>
      </main>
      <Foot
        left={
          <button class="btn" onClick={back}>
            {say("backToRound")}
          </button>
        }
        line={say("situationsNote")}
        primary={say("chooseOne")}
        enabled={false}
        onPrimary={() => undefined}
      />
    </div>
  );
}

export function Report(props: { desk: Desk; situation?: Situation; note?: string }) {
  const { desk } = props;
  const { part, table, view } = desk;
  const half = useSignal<Half | null>(
    keptHalf(table, view.round, part) ?? (props.situation ? begun(part, props.situation, props.note ?? "") : null),
  );
  const listing = useSignal(half.value === null);
  useSignalEffect(() => {
    if (half.value === null) dropHalf(table);
    else keepHalf(table, view.round, half.value);
  });
  useEffect(() => {
    // What is on its way has changed the table itself.
    if (half.peek() === null || desk.busy) return;
    half.value = stillOpen(part, half.peek() as Half);
    if (half.value === null && !listing.peek()) desk.mode.value = { kind: "round" };
  }, [part.may, desk.busy]);
  const choose = (situation: Situation): void => {
    if (half.peek()?.situation !== situation) half.value = begun(part, situation, String(half.peek()?.draft["note"] ?? ""));
    listing.value = false;
  };
  if (half.value === null || listing.value) return <Choosing desk={desk} onChosen={choose} />;
  return (
    <Answer
      key={half.value.situation}
      desk={desk}
      half={half.value}
      onHalf={(next) => void (half.value = next)}
      backLabel={common("back")}
      onBack={() => void (listing.value = true)}
      onOther={choose}
    />
  );
}
