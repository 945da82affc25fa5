/** Small parts that sheets share. */
import { cardName, parseCard } from "../../../draw/cards";
import { pip } from "../../../draw/suits";
import { Svg } from "../../../draw/Svg";
import { drawLanguage } from "../../../parts/Card";
import { say } from "../words";
import { Icon, type IconName } from "../../../parts/Icon";

export function Choices<V extends string>(props: {
  label: string;
  value: V;
  choices: readonly (readonly [V, string])[];
  onChoose: (value: V) => void;
}) {
  return (
    <div class="seg" role="radiogroup" aria-label={props.label}>
      {props.choices.map(([value, name]) => (
        <button key={value} role="radio" aria-checked={value === props.value} onClick={() => props.onChoose(value)}>
          {name}
        </button>
      ))}
    </div>
  );
}

export function SwitchRow(props: { label: string; help: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button class="swrow" role="switch" aria-checked={props.on} onClick={() => props.onChange(!props.on)}>
      <span class="sw" />
      <span class="grow">
        <b class="bold">{props.label}</b>
        <br />
        <span class="xs muted">{props.help}</span>
      </span>
    </button>
  );
}

export function LinkRow(props: { icon: IconName; label: string; help?: string; onClick: () => void }) {
  return (
    <button class="swrow" onClick={props.onClick}>
      <Icon name={props.icon} />
      <span class="grow">
        <b class="bold">{props.label}</b>
        {props.help !== undefined && (
          <>
            <br />
            <span class="xs muted">{props.help}</span>
          </>
        )}
      </span>
      <Icon name="next" size="small" />
    </button>
  );
}

/** A card in a line of text, "5♣" with the pip drawn; its name is for who does not see it. */
export function ShortCard(props: { face: string | null }) {
  if (props.face === null) return <span class="shortcard down">{say("faceDown")}</span>;
  const { rank, suit } = parseCard(props.face);
  return (
    <b class="shortcard">
      <span class="sr">{cardName(props.face, drawLanguage())}</span>
      <span aria-hidden="true">{rank === "T" ? "10" : rank}</span>
      <Svg of={pip(suit, { plain: true })} label="" />
    </b>
  );
}
