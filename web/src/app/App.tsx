/** One screen for an address; each is loaded when it is first shown. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { spoken } from "../i18n/catalogues";
import { say } from "../i18n/common";
import { NotForYou } from "../parts/NotForYou";
import { screenTheme } from "../state/settings";
import { go, type Route, route } from "./router";
import { homeOf, somebody } from "./session";

export interface ScreenProps {
  route: Route;
}
type Screen = ComponentType<ScreenProps>;

interface Entry {
  load: () => Promise<{ default: Screen }>;
  /** Whether somebody must be signed in. */
  signedIn: boolean;
  /** For those who work in the house: a patron is shown the way home. */
  staff?: true;
  theme?: "dark" | "light";
  /** Read from further away: its text is larger still on wide screens. */
  large?: true;
}

const SCREENS: Record<string, Entry> = {
  signin: { load: () => import("../screens/signin/SignIn"), signedIn: false, large: true },
  setup: { load: () => import("../screens/signin/Setup"), signedIn: false, large: true },
  password: { load: () => import("../screens/signin/Password"), signedIn: false, large: true },
  lobby: { load: () => import("../screens/lobby/Lobby"), signedIn: true },
  tables: { load: () => import("../screens/lobby/Several"), signedIn: true },
  table: { load: () => import("../screens/terminal/Terminal"), signedIn: true, large: true },
  dealer: { load: () => import("../screens/dealer/Dealer"), signedIn: true, staff: true, large: true },
  pit: { load: () => import("../screens/pit/Pit"), signedIn: true, staff: true, theme: "light" },
  cage: { load: () => import("../screens/cage/Cage"), signedIn: true, staff: true, theme: "light" },
  audit: { load: () => import("../screens/audit/Audit"), signedIn: true, staff: true, theme: "light" },
  house: { load: () => import("../screens/house/House"), signedIn: true, staff: true, theme: "light" },
  display: { load: () => import("../screens/display/Display"), signedIn: false },
};

/** A screen with its words: whoever speaks another language never sees it in English first. */
async function shownBy(entry: Entry): Promise<{ default: Screen }> {
  const screen = await entry.load();
  await spoken();
  return screen;
}

const Waiting = ({ text }: { text: string }) => (
  <main class="waiting" aria-busy="true">
    {text}
  </main>
);

/** A page that was open before an upgrade asks for pieces that are no more; loaded anew, it finds them. */
const NotLoaded = () => (
  <main class="waiting">
    <div class="stack16">
      <h1 class="h1">{say("notLoaded")}</h1>
      <p>{say("notLoadedWhy")}</p>
      <button class="btn" onClick={() => location.reload()}>
        {say("reload")}
      </button>
    </div>
  </main>
);

const Missing = () => (
  <main class="waiting">
    <div class="stack16">
      <h1 class="h1">{say("notFound")}</h1>
      <button class="btn" onClick={() => go("/")}>
        {say("toStart")}
      </button>
    </div>
  </main>
);

/** Which screen an address stands for, to whoever is there. */
function screenOf(here: Route): string | null {
  const who = somebody.value;
  if (here.screen === "start") {
    if (who === undefined) return null;
    go(who === null ? "/signin" : homeOf(who), true);
    return null;
  }
  const entry = SCREENS[here.screen];
  if (entry === undefined || !entry.signedIn) return here.screen;
  if (who === undefined) return null;
  return who === null ? "signin" : here.screen;
}

export function App() {
  const here = route.value;
  const name = screenOf(here);
  const shown = useSignal<{ name: string; Screen: Screen } | null>(null);
  const failed = useSignal(false);
  useEffect(() => {
    const entry = name === null ? undefined : SCREENS[name];
    if (name === null || entry === undefined) return;
    screenTheme.value = entry.theme ?? "dark";
    document.documentElement.toggleAttribute("data-large", entry.large ?? false);
    shownBy(entry).then(
      ({ default: Screen }) => {
        failed.value = false;
        shown.value = { name, Screen };
      },
      () => void (failed.value = true),
    );
  }, [name]);
  if (name !== null && SCREENS[name] === undefined) return <Missing />;
  if (failed.value) return <NotLoaded />;
  if (name === null || shown.value?.name !== name) return <Waiting text={say("loading")} />;
  if (SCREENS[name]?.staff && somebody.value?.kind === "patron") return <NotForYou />;
  const { Screen } = shown.value;
  return <Screen route={here} />;
}
