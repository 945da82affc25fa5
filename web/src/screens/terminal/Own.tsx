/** From 1600 px: the own stakes of this round, the last rounds, and the day in figures. */
import { money, signed, clock, dollars } from "../../i18n/money";
import { oddsName } from "../../i18n/rows";
import { SideDisc } from "../../parts/HandCards";
import { returnedOf, roundNet, staked } from "./model/outcome";
import { play, usePlayed } from "./played";
import { useHere, type Here } from "./table";
import { nameOf, payWords, say, shortResult } from "./words";

interface Row {
  key: string;
  name: string;
  stake: string;
  pays: string;
  returned: string;
  won: boolean;
}

function rowsOf({ view, own, betting }: Here): Row[] {
  if (own.lines.length > 0 && (view.phase === "SETTLED" || view.phase === "IDLE")) {
    return own.lines.map((line) => ({
      key: String(line.stake),
      name: nameOf(view, line.wager),
      stake: money(line.cents),
      pays: line.result === "wins" ? oddsName(line.pays ?? "") : say(line.result === "pushes" ? "pushes" : "loses"),
      returned: money(returnedOf(line)),
      won: line.result === "wins",
    }));
  }
  const slugs = Object.keys({ ...betting.accepted.value, ...betting.wanted.value, ...betting.refused.value });
  return slugs.map((slug) => {
    const wager = view.rules?.wagers.find((one) => one.slug === slug);
    const [wanted, accepted] = [betting.wanted.value[slug] ?? 0, betting.accepted.value[slug] ?? 0];
    const refused = betting.refused.value[slug];
    const sending = betting.sending.value[slug] !== undefined;
    const word = refused !== undefined ? "refusedState" : sending ? "sending" : wanted !== accepted ? "unsentState" : view.hold !== null ? "held" : view.phase === "OPEN" ? "accepted" : "open";
    const pays = wager === undefined ? "" : payWords(wager, view.power).usual;
    return { key: slug, name: nameOf(view, slug), stake: money(wanted > accepted ? wanted : (refused ?? wanted)), pays, returned: say(word), won: false };
  });
}

function LastRounds() {
  const { name, rounds } = useHere();
  const mine = (rounds ?? []).filter((round) => round.table === name).slice(0, 6);
  return (
    <section class="bd hist">
      <h3>{say("yourLast")}</h3>
      {mine.length === 0 && <p class="xs dim">{say("noRounds")}</p>}
      <ul>
        {mine.map((round) => (
          <li key={round.round}>
            {round.winner === null ? <span class="vd">V</span> : <SideDisc side={round.winner} />}
            <span>
              <b>
                {round.winner === null || round.player === null || round.banker === null
                  ? say("roundVoid")
                  : shortResult({ player: round.player, banker: round.banker, winner: round.winner })}
              </b>
              <br />
              {say("stakedAt", { time: clock(round.opened), cents: dollars(staked(round)) })}
            </span>
            <b>{signed(roundNet(round))}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Own() {
  const here = useHere();
  const { view } = here;
  const rows = rowsOf(here);
  const played = usePlayed(String(view.results.length));
  const net = play.value?.day.result_cents ?? null;
  return (
    <aside class="breakdown" aria-label={say("rounds")} data-region>
      <section class="bd">
        <h3>{say("thisRound")}</h3>
        <table>
          <thead>
            <tr>
              <th>{say("wager")}</th>
              <th>{say("stake")}</th>
              <th>{say("pays")}</th>
              <th>{say("returned")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>{row.name}</td>
                <td>{row.stake}</td>
                <td>{row.pays}</td>
                <td class={row.won ? "w" : ""}>{row.returned}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <LastRounds />
      {played !== null && (
        <div class="play">
          <div>
            {say("timePlayed")}
            <b>{played}</b>
          </div>
          {net !== null && (
            <div>
              {say("netAll")}
              <b>{signed(net)}</b>
            </div>
          )}
        </div>
      )}
    </aside>
  );
}
