/** What somebody sets for this browser: language, theme, size of text, keys, sound. */
import { effect, signal } from "@preact/signals";

export const LANGUAGES = { en: "English", "zh-Hans": "简体中文", ms: "Bahasa Melayu", ta: "தமிழ்" } as const;
export type Language = keyof typeof LANGUAGES;

export interface Settings {
  language: Language;
  /** null: what the screen has by itself. */
  theme: "dark" | "light" | null;
  size: 100 | 112 | 125;
  leftHanded: boolean;
  /** Shortcuts with a single key (WCAG 2.1.4). */
  keys: boolean;
  sound: boolean;
  fourColours: boolean;
}

const PLACE = "croupier.settings";

function spoken(): Language {
  const wanted = navigator.language.toLowerCase();
  if (wanted.startsWith("zh")) return "zh-Hans";
  return "en";
}

function kept(): Settings {
  const start: Settings = {
    language: spoken(),
    theme: null,
    size: 100,
    leftHanded: false,
    keys: true,
    sound: false,
    fourColours: false,
  };
  try {
    return { ...start, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Settings>) };
  } catch {
    return start;
  }
}

export const settings = signal<Settings>(kept());

export function set<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings.value = { ...settings.peek(), [name]: value };
}

/** The theme that the open screen has by itself: the pit is light, all others are dark. */
export const screenTheme = signal<"dark" | "light">("dark");

effect(() => {
  const { language, theme, size } = settings.value;
  const root = document.documentElement;
  root.lang = language;
  root.dataset["theme"] = theme ?? screenTheme.value;
  root.dataset["size"] = String(size);
  try {
    localStorage.setItem(PLACE, JSON.stringify(settings.value));
  } catch {
    // A browser that keeps nothing still plays.
  }
});
