/** Why somebody may not play, and the way to the own money, which nothing bars. */
import { useEffect } from "preact/hooks";
import type { SocketSchemas } from "../api/types";
import { barredWords, say } from "../i18n/barred";
import { announce } from "./announce";
import { Icon } from "./Icon";
import { Link } from "./Link";

type Barred = SocketSchemas["Barred"];

/** Screen readers hear of it when it begins, wherever somebody is. */
export function useBarredHeard(barred: Barred | null): void {
  const words = barred === null ? "" : barredWords(barred);
  useEffect(() => {
    if (words !== "") announce(words);
  }, [words]);
}

/** `table`: at which the money is shown; null: it is in view already, or there is no table. */
export function BarredNote({ barred, table, id }: { barred: Barred; table: string | null; id?: string }) {
  return (
    <div class="tip alert" id={id} data-barred={barred.code}>
      <Icon name="info" />
      <div>{barredWords(barred)}</div>
      {table !== null && (
        <Link class="btn small" to={`/table/${encodeURIComponent(table)}/wallet`}>
          {say("money")}
        </Link>
      )}
    </div>
  );
}
