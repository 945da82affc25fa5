/** A page that is for others: who one is, and the way home; nothing of the page itself. */
import { go } from "../app/router";
import { homeOf, somebody } from "../app/session";
import { say } from "../i18n/common";
import { positionName } from "../i18n/names";
import type { Problem } from "../api/types";

/** Whether the server says that a page is for others. */
export const notFor = (problem: Problem | null): boolean => problem?.code === "forbidden";

export function NotForYou() {
  const who = somebody.value;
  const as = who?.position ? positionName(who.position) : say("aPatron");
  return (
    <main class="waiting">
      <div class="stack16">
        <h1 class="h1">{say("notForYou")}</h1>
        <p>{say(who?.position || who?.kind === "patron" ? "notForYouAs" : "notForYouName", { name: who?.name ?? "", as })}</p>
        <button class="btn" onClick={() => go(who ? homeOf(who) : "/")}>
          {say("toYours")}
        </button>
      </div>
    </main>
  );
}
