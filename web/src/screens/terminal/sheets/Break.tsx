/** A break: to the lobby for now, or an exclusion of oneself, which is asked once more before it is sent. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { give } from "../../../api/http";
import { go } from "../../../app/router";
import { say as common } from "../../../i18n/common";
import en from "../../../i18n/en/breaks.json";
import { moment as written } from "../../../i18n/money";
import { words } from "../../../i18n/words";
import { Dialog } from "../../../parts/Dialog";
import { Icon } from "../../../parts/Icon";
import { useSending } from "../../../parts/sending";
import { Trouble } from "../../../parts/Trouble";
import { moment } from "../../../state/clock";
import { type Break, endOf, type Exclusion, offeredBreaks } from "../model/breaks";
import { useHere } from "../table";

const say = words("breaks", en);

const endWords = (end: string | null): string => (end === null ? say("never") : say("ends", { time: written(end) }));

/** The last question; what was shown as the end is what is sent. */
function Sure(props: { one: Exclusion; end: string | null; onBack: () => void; onDone: () => void }) {
  const { one, end } = props;
  const { sending, problem, send } = useSending();
  const exclude = async (): Promise<void> => {
    if (await send(() => give("accounts", { type: "exclude_patron", until: end }))) props.onDone();
  };
  return (
    <Dialog
      title={say(`sure_${one}`)}
      onBack={props.onBack}
      foot={
        <>
          <button class="btn" onClick={props.onBack}>
            {common("back")}
          </button>
          <span class="sp" />
          <button class="btn primary" disabled={sending.value} onClick={() => void exclude()}>
            {say(`yes_${one}`)}
          </button>
        </>
      }
    >
      <ul class="stack8">
        {[say("atOnce"), endWords(end), say("firm"), say("stays")].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Trouble problem={problem.value} />
    </Dialog>
  );
}

function Choose(props: { offered: readonly Break[]; chosen: Break; begins: number; onChoose: (one: Break) => void; onBack: () => void; onTake: () => void }) {
  const { offered, chosen, begins } = props;
  const label = chosen === "leave" ? say("leave") : say(`act_${chosen}`);
  return (
    <Dialog
      title={say("ask")}
      onBack={props.onBack}
      foot={
        <>
          <button class="btn" onClick={props.onBack}>
            {common("cancel")}
          </button>
          <span class="sp" />
          <button class="btn primary" onClick={props.onTake}>
            {label}
          </button>
        </>
      }
    >
      <div class="stack8" role="radiogroup" aria-label={say("choices")}>
        {offered.map((one) => (
          <button key={one} class="pick" role="radio" aria-checked={one === chosen} onClick={() => props.onChoose(one)}>
            <b>
              <span class="rad" />
              {say(one)}
            </b>
            <p>{one === "leave" ? say("leaveHelp") : endWords(endOf(one, begins))}</p>
          </button>
        ))}
        {offered.length > 1 && (
          <div class="tip">
            <Icon name="info" />
            <div>
              {say("firm")} {say("stays")}
            </div>
          </div>
        )}
      </div>
    </Dialog>
  );
}

export function BreakDialog({ onBack }: { onBack: () => void }) {
  const { betting } = useHere();
  const begins = useMemo(moment, []);
  const wanted = useSignal<Break>("leave");
  const sure = useSignal(false);
  const offered = offeredBreaks(begins, betting.left.value?.barred ?? null);
  const chosen = offered.includes(wanted.value) ? wanted.value : "leave";
  // A refusal stays in view, though what another page did takes the choice away.
  if (sure.value && wanted.value !== "leave") {
    return <Sure one={wanted.value} end={endOf(wanted.value, begins)} onBack={() => void (sure.value = false)} onDone={onBack} />;
  }
  const take = (): void => (chosen === "leave" ? go("/lobby") : void (sure.value = true));
  return <Choose offered={offered} chosen={chosen} begins={begins} onChoose={(one) => void (wanted.value = one)} onBack={onBack} onTake={take} />;
}
