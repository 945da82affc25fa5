// What every drawing is made of. A drawing is a box, the markup inside it and its name in words.
// Markup carries presentation attributes and classes only: the page forbids inline style.

/** A picture: `<Svg of={drawing} />` shows it, `markup(drawing)` writes it as text. */
export interface Drawing {
  /** Class names: what it is, for its size and shadow in draw.css. */
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  /** The markup inside the svg element. */
  readonly body: string;
  /** What a screen reader says; empty for decoration. */
  readonly label: string;
}

/** The languages in which drawings have names of their own. */
export type Language = "en" | "zh" | "ms" | "ta";

/** A colour of the theme; draw.css has a class for the fill and the stroke of each. */
export type Token =
  | "banker-mark" | "banker-fill" | "player-mark" | "player-fill" | "tie-mark" | "tie-fill" | "on-side"
  | "road-ground" | "road-line" | "line" | "line-strong" | "text" | "text-2" | "text-3" | "surface-1"
  | "surface-2" | "surface-3" | "brass" | "brass-strong" | "brass-dim" | "brass-tint" | "on-brass"
  | "alert-tint";

export type Point = readonly [x: number, y: number];
export type Anchor = "start" | "middle" | "end";

export function drawing(kind: string, width: number, height: number, body: string, label = ""): Drawing {
  return { kind, width, height, body, label };
}

/** A number with at most two decimals: finer steps cannot be seen and make the markup long. */
export function round(value: number): number {
  return Number(value.toFixed(2));
}

let issued = 0;

/** An id that no other drawing of this page has. */
export function uniqueId(): string {
  issued += 1;
  return `draw-${issued}`;
}

/** The classes of a shape that is filled with one colour of the theme and edged with another. */
export function paint(colours: { fill?: Token | undefined; stroke?: Token | undefined }): string {
  const names = [colours.fill && `fill-${colours.fill}`, colours.stroke && `stroke-${colours.stroke}`];
  return `class="${names.filter(Boolean).join(" ")}"${colours.fill ? "" : ' fill="none"'}`;
}

/** Text that may come from outside, safe between tags and in attributes. */
export function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

export interface Lettering {
  readonly size: number;
  readonly colour: Token;
  readonly weight?: number;
  readonly anchor?: Anchor;
}

/** A line of text in the font of the page. */
export function lettering(text: string, x: number, y: number, { size, colour, weight, anchor = "middle" }: Lettering): string {
  const bold = weight ? ` font-weight="${weight}"` : "";
  return `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}" text-anchor="${anchor}"${bold} class="lettering fill-${colour}">${escaped(text)}</text>`;
}

/** A bold letter or number whose middle is at (x, y). */
export function letter(text: string, x: number, y: number, size: number, colour: Token): string {
  return lettering(text, x, y + size * 0.355, { size, colour, weight: 700 });
}

/** A whole svg element as text, for a page that is not rendered by components. */
export function markup({ kind, width, height, body, label }: Drawing): string {
  const name = label ? `role="img" aria-label="${escaped(label)}"` : 'aria-hidden="true"';
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${kind}" viewBox="0 0 ${width} ${height}" ${name}>${body}</svg>`;
}
