/**
 * Catalogues of other languages than English. Each is a file of its own that is loaded when its
 * language is spoken on a screen that needs it; until it is there, and where it has no word, the
 * screen speaks English.
 */
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { settings } from "../state/settings";

export type Catalogue = Readonly<Record<string, string>>;

const FILES = import.meta.glob<Catalogue>(["./zh-Hans/*.json", "./ms/*.json", "./ta/*.json"], { import: "default" });
const NONE: Catalogue = {};

const wanted = new Set<string>();
const loaded = signal<Readonly<Record<string, Catalogue>>>({});
const language = computed(() => settings.value.language);
const fileOf = (name: string): string => `./${language.value}/${name}.json`;

async function load(name: string): Promise<void> {
  const file = fileOf(name);
  const opened = FILES[file];
  if (opened === undefined || file in loaded.peek()) return;
  try {
    const catalogue = await opened();
    loaded.value = { ...loaded.peek(), [file]: catalogue };
  } catch {
    // A house that cannot be reached is said elsewhere; here English stands in.
  }
}

/** What the language that is set has for a catalogue; nothing in English. */
export function translation(name: string): ReadonlySignal<Catalogue> {
  wanted.add(name);
  void load(name);
  return computed(() => loaded.value[fileOf(name)] ?? NONE);
}

/** Wait until the open screens have the words of the language that is set. */
export async function spoken(): Promise<void> {
  await Promise.all(Array.from(wanted, load));
}

effect(() => {
  if (language.value !== "en") void spoken();
});
