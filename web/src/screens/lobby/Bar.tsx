/** The bar over the lobby and over several tables: what one has, and where else one can go. */
import { useSignal } from "@preact/signals";
import { heardAt } from "../../api/live";
import type { Wallet } from "../../api/types";
import { currency, homeOf, house, somebody } from "../../app/session";
import { mark } from "../../draw/house";
import { Svg } from "../../draw/Svg";
import { clock, money } from "../../i18n/money";
import { AttendantBell } from "../../parts/AttendantBell";
import { Reading } from "../../parts/Dialog";
import { Icon } from "../../parts/Icon";
import { KeysButton } from "../../parts/KeyList";
import { Link } from "../../parts/Link";
import { SettingsButton } from "../../parts/Settings";
import { figuresOf } from "../../state/tables";
import { usePlayed } from "../terminal/played";
import { RoundsDialog } from "./Rounds";
import { say } from "./say";

/** The mark and a name; `heading`: the name is that of the page. */
export const Brand = (props: { name: string; heading?: boolean }) => (
  <div class="brand">
    <span class="dr">
      <Svg of={mark()} />
    </span>
    {props.heading ? <h1>{props.name}</h1> : <span>{props.name}</span>}
  </div>
);

/** Time played in this gaming day, as the house counts it. */
function Played() {
  const time = usePlayed("");
  if (time === null) return null;
  return (
    <div class="opt">
      <dt>{say("played")}</dt>
      <dd>{time}</dd>
    </div>
  );
}

export function Money(props: { wallet: Wallet | null }) {
  const figures = figuresOf(props.wallet);
  if (figures === null || somebody.value?.kind !== "patron") return null;
  const symbol = currency();
  return (
    <dl>
      <div>
        <dt>{say("balance")}</dt>
        <dd>
          {symbol} {money(figures.balance)}
        </dd>
      </div>
      <div>
        <dt>{say("inPlay")}</dt>
        <dd>
          {symbol} {money(figures.inPlay)}
        </dd>
      </div>
      <Played />
    </dl>
  );
}

const CONSOLES: Record<string, "toDealer" | "toPit" | "toCage" | "toAudit"> = {
  "/dealer": "toDealer",
  "/pit": "toPit",
  "/cage": "toCage",
  "/audit": "toAudit",
};

/** Staff and auditors come here to look; their work is elsewhere. */
function Console() {
  const who = somebody.value;
  if (!who || who.kind === "patron") return null;
  const home = homeOf(who);
  const name = CONSOLES[home];
  if (name === undefined) return null;
  return (
    <Link class="btn quiet" to={home}>
      {say(name)}
    </Link>
  );
}

function HelpDialog(props: { onBack: () => void }) {
  const all = ["helpSit", "helpRing", "helpLimits", "helpRoads", "helpPlay"] as const;
  return (
    <Reading title={say("help")} onBack={props.onBack}>
      <ul class="stack12 muted">
        {all.map((key) => (
          <li key={key}>{say(key)}</li>
        ))}
      </ul>
    </Reading>
  );
}

export function LobbyBar(props: { wallet: Wallet | null }) {
  const open = useSignal<"rounds" | "help" | null>(null);
  const back = (): void => void (open.value = null);
  return (
    <header class="bar" data-region>
      <Brand name={house.value?.name ?? "Croupier"} />
      <Money wallet={props.wallet} />
      <div class="who">
        <Console />
        <KeysButton />
        <SettingsButton />
        {somebody.value?.kind === "patron" && (
          <button class="iconbtn" aria-label={say("rounds")} aria-haspopup="dialog" onClick={() => void (open.value = "rounds")}>
            <Icon name="list" />
          </button>
        )}
        {somebody.value?.kind === "patron" && <AttendantBell table={props.wallet?.seats.find(({ position }) => position !== null)?.table ?? null} />}
        <button class="iconbtn" aria-label={say("help")} aria-haspopup="dialog" onClick={() => void (open.value = "help")}>
          <Icon name="help" />
        </button>
      </div>
      {open.value === "help" && <HelpDialog onBack={back} />}
      {open.value === "rounds" && <RoundsDialog onBack={back} />}
    </header>
  );
}

/** The connection is gone: what is shown is old, and what was accepted stands. */
export function LostBar(props: { time: string | null }) {
  const patron = somebody.value?.kind === "patron";
  const time = clock(props.time ?? heardAt.value, true);
  return (
    <p class="lostbar" role="status">
      <Icon name="signal" />
      {patron ? say("lost") : say("lostStaff", { time })}
    </p>
  );
}
