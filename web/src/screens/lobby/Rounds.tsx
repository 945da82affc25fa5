/** One's own last rounds at all tables. */
import type { OwnRound } from "../../api/types";
import { clock, money, signed } from "../../i18n/money";
import { resultWords } from "../../i18n/tables";
import { Reading } from "../../parts/Dialog";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { roundNet, staked } from "../terminal/model/outcome";
import { say } from "./say";

type Played = OwnRound & { table: string };

function Row({ round }: { round: Played }) {
  const net = roundNet(round);
  const natural = Math.max(round.player ?? 0, round.banker ?? 0) >= 8 && round.cards.length === 4;
  return (
    <tr>
      <td>
        <b>{round.table}</b> · {round.round}
        <div class="xs dim">{clock(round.opened)}</div>
      </td>
      <td class="l wrapc">{round.void === null ? resultWords({ ...round, natural }) : say("void")}</td>
      <td>{money(staked(round))}</td>
      <td class={net > 0 ? "w" : ""}>{signed(net)}</td>
    </tr>
  );
}

export function RoundsDialog(props: { onBack: () => void }) {
  const [loaded] = useLoaded<Played[]>("/me/rounds?limit=20");
  const { value, problem } = loaded.value;
  return (
    <Reading title={say("rounds")} onBack={props.onBack}>
      <Trouble problem={problem} />
      {value?.length === 0 && <p class="muted">{say("noRounds")}</p>}
      {value !== null && value.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th>
                {say("table")} · {say("round")}
              </th>
              <th class="l">{say("result")}</th>
              <th>{say("staked")}</th>
              <th>{say("net")}</th>
            </tr>
          </thead>
          <tbody>
            {value.map((round) => (
              <Row key={`${round.table} ${round.round}`} round={round} />
            ))}
          </tbody>
        </table>
      )}
    </Reading>
  );
}
