// The die of Power 98 and its shaker.
import { drawing, paint, type Drawing, type Language, type Point } from "./svg.ts";

export type Pips = 1 | 2 | 3 | 4 | 5 | 6;

/** Columns and rows of the eyes, 0 to 2. */
const EYES: Record<Pips, readonly Point[]> = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [2, 0], [0, 2], [2, 2]],
  5: [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]],
  6: [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]],
};

function body(shows: Pips): string {
  const ink = shows === 1 ? "#BE1622" : "#171C1E";
  const eyes = EYES[shows].map(([x, y]) => `<circle cx="${26 + x * 24}" cy="${26 + y * 24}" r="8.5" fill="${ink}"/>`);
  return `<rect x="4" y="4" width="92" height="92" rx="18" fill="#FDFBF5" stroke="#000" stroke-opacity=".18" stroke-width="2"/>${eyes.join("")}`;
}

const SHOWS: Record<Language, string> = { en: "Die shows", zh: "骰子为", ms: "Dadu menunjukkan", ta: "பகடை காட்டுவது" };

/** The die with a number up. */
export function die(shows: Pips, language: Language = "en"): Drawing {
  return drawing("die", 100, 100, body(shows), `${SHOWS[language]} ${shows}`);
}

const BASE =
  '<ellipse cx="120" cy="176" rx="92" ry="20" fill="#000" opacity=".3"/>' +
  `<path d="M30 158H210V168C210 182 170 190 120 190C70 190 30 182 30 168Z" ${paint({ fill: "surface-3", stroke: "brass-dim" })} stroke-width="2"/>` +
  `<ellipse cx="120" cy="158" rx="90" ry="17" ${paint({ fill: "surface-2", stroke: "brass" })} stroke-width="2"/>`;
const DOME =
  `<path d="M44 154C44 92 76 52 120 52C164 52 196 92 196 154C196 164 162 170 120 170C78 170 44 164 44 154Z" ${paint({ fill: "brass-tint", stroke: "brass" })} stroke-width="2.5"/>` +
  `<path d="M64 140C66 104 84 78 108 70" ${paint({ stroke: "brass-strong" })} stroke-opacity=".6" stroke-width="3" stroke-linecap="round"/>` +
  `<path d="M112 52V42H128V52" ${paint({ fill: "brass-dim", stroke: "brass" })} stroke-width="2"/><circle cx="120" cy="36" r="8" ${paint({ fill: "brass" })}/>`;
const ARCS =
  `<path d="M24 96C18 110 18 122 24 136M12 88C3 108 3 126 12 146M216 96C222 110 222 122 216 136M228 88C237 108 237 126 228 146" ${paint({ stroke: "brass" })} stroke-width="2.5" stroke-linecap="round"/>`;

/** The dome over the die; the dome while it is shaken, with two quiet arcs; or the die it showed. */
export type Shaker = "closed" | "moving" | Pips;

const CLOSED: Record<Language, string> = { en: "Shaker, closed", zh: "骰盅，已盖上", ms: "Bekas goncang, tertutup", ta: "குலுக்கி, மூடியது" };
const MOVING: Record<Language, string> = { en: "Die is being shaken", zh: "正在摇骰", ms: "Dadu sedang digoncang", ta: "பகடை குலுக்கப்படுகிறது" };
const OPEN: Record<Language, string> = {
  en: "Shaker open, die shows",
  zh: "骰盅已开，骰子为",
  ms: "Bekas goncang dibuka, dadu menunjukkan",
  ta: "குலுக்கி திறந்தது, பகடை காட்டுவது",
};

export function shaker(state: Shaker, language: Language = "en"): Drawing {
  if (state === "closed") return drawing("shaker", 240, 200, BASE + DOME, CLOSED[language]);
  if (state === "moving") return drawing("shaker", 240, 200, BASE + DOME + ARCS, MOVING[language]);
  const open = `${BASE}<g transform="translate(88 104) scale(.64)">${body(state)}</g>`;
  return drawing("shaker", 240, 200, open, `${OPEN[language]} ${state}`);
}
