/** Which display: for whoever watches without signing in, and for whoever sets up a screen. */
import type { TableSummary } from "../../api/types";
import { mark } from "../../draw/house";
import { Svg } from "../../draw/Svg";
import { gameName } from "../../i18n/names";
import { say as tables, sourceWords } from "../../i18n/tables";
import { words } from "../../i18n/words";
import en from "../../i18n/en/display.json";
import { KeysButton } from "../../parts/KeyList";
import { Link } from "../../parts/Link";
import { Trouble } from "../../parts/Trouble";
import { useTitle } from "../../parts/title";
import { useLoaded } from "../../state/loaded";
import { stateOf, tableMark } from "../../state/tables";

const say = words("display", en);
const ASK_MS = 5_000;

export function Choose() {
  const [loaded] = useLoaded<TableSummary[]>("/tables", ASK_MS);
  const { value, problem } = loaded.value;
  useTitle(say("choose"));
  return (
    <>
      <header class="bar">
        <span class="brand">
          <i>
            <Svg of={mark()} label="" />
          </i>
          Croupier
        </span>
        <div class="row end">
          <KeysButton />
          <Link class="btn" to="/signin">
            {say("signIn")}
          </Link>
        </div>
      </header>
      <main class="choose">
        <h1 class="h1">{say("choose")}</h1>
        <p class="muted">{say("chooseLead")}</p>
        <Trouble problem={problem} />
        {value?.length === 0 && <p>{say("none")}</p>}
        <ul>
          {(value ?? []).map((table) => (
            <li key={table.name}>
              <Link class="panel" to={`/display/${table.name}`}>
                <span class="no">{tableMark(table)}</span>
                <span>
                  <b>{gameName(table)}</b>
                  <small>{sourceWords(table)}</small>
                </span>
                <em>{tables(stateOf(table, null))}</em>
              </Link>
            </li>
          ))}
        </ul>
      </main>
    </>
  );
}
