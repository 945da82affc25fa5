// Court cards, faceless and abstract on purpose. A panel in a card of 250 by 350.
import { pipPath, type Element, type Suit } from "./suits.ts";
import { signPath } from "./signs.ts";
import { round } from "./svg.ts";

export type Court = "J" | "Q" | "K";
export type Fortune = "Shou" | "Lu" | "Fu";

const BRASS = "#C9A45C";
const PAPER = "#FFFDF7";

function panel(colour: string): string {
  return `<rect x="54" y="38" width="142" height="274" rx="9" fill="${PAPER}" stroke="${colour}" stroke-opacity=".35" stroke-width="1.5"/>`;
}

function crown(court: Court, colour: string): string {
  switch (court) {
    case "K":
      return `<path d="M99 84L94 58L108 70L125 50L142 70L156 58L151 84Z" fill="${colour}"/><path d="M99 88H151V93H99Z" fill="${BRASS}"/><circle cx="125" cy="46" r="4.5" fill="${BRASS}"/>`;
    case "Q":
      return `<path d="M101 84C96 72 96 66 98 60C104 64 109 68 112 74C114 64 119 57 125 53C131 57 136 64 138 74C141 68 146 64 152 60C154 66 154 72 149 84Z" fill="${colour}"/><path d="M101 88H149V93H101Z" fill="${BRASS}"/><g fill="${BRASS}"><circle cx="98" cy="56" r="4"/><circle cx="125" cy="48" r="4.5"/><circle cx="152" cy="56" r="4"/></g>`;
    case "J":
      return `<path d="M98 91C98 76 110 66 126 66C142 66 152 76 152 91Z" fill="${colour}"/><path d="M94 88H156V94H94Z" fill="${BRASS}"/><path d="M140 72C150 62 160 57 170 46C171 64 162 78 146 82Z" fill="${BRASS}"/>`;
  }
}

/** What is set into the collar: bars for a King, pearls for a Queen, points for a Jack. */
function collar(court: Court): string {
  const [angles, shape] = {
    K: [[-54, -18, 18, 54], '<rect x="123" y="130" width="4" height="9"'],
    Q: [[-60, -30, 0, 30, 60], '<circle cx="125" cy="134" r="3.6"'],
    J: [[-48, -24, 0, 24, 48], '<path d="M121 140L125 128L129 140Z"'],
  }[court] as [number[], string];
  return angles.map((angle) => `${shape} fill="${BRASS}" transform="rotate(${angle} 125 175)"/>`).join("");
}

/** Jack, Queen or King: a crown over rings, the same both ways up. */
export function court(rank: Court, suit: Suit, colour: string): string {
  const rings: readonly (readonly [number, string])[] = [
    [63, colour], [58, PAPER], [55, BRASS], [52, PAPER], [48, colour], [34, PAPER], [31, BRASS], [28.5, PAPER],
  ];
  const half = [
    ...rings.map(([r, fill]) => `<path d="M${125 - r} 175A${r} ${r} 0 0 1 ${125 + r} 175Z" fill="${fill}"/>`),
    collar(rank),
    `<path d="M107 92V104C107 117 115 125 125 125C135 125 143 117 143 104V92Z" fill="${PAPER}" stroke="${colour}" stroke-width="3"/>`,
    `<path d="M113 93V103M137 93V103" fill="none" stroke="${colour}" stroke-width="2.5" opacity=".55"/>`,
    crown(rank, colour),
  ].join("");
  return `${panel(colour)}${half}<g transform="rotate(180 125 175)">${half}</g><circle cx="125" cy="175" r="26" fill="${PAPER}"/>${pipPath(suit, 125, 175, 34, colour)}`;
}

const X = 125;
const Y = 168;

function around(count: number, first: number, shape: string): string {
  return Array.from({ length: count }, (_, i) => `${shape} transform="rotate(${first + (i * 360) / count} ${X} ${Y})"/>`).join("");
}

function circle(r: number, colour: string, width = 1.5, opacity = 1): string {
  return `<circle cx="${X}" cy="${Y}" r="${r}" fill="none" stroke="${colour}" stroke-width="${width}" opacity="${opacity}"/>`;
}

function wash(r: number, colour: string): string {
  return `<circle cx="${X}" cy="${Y}" r="${r}" fill="${colour}" opacity=".07"/>`;
}

/** Long life: the rings of a tree and the 24 notches of the year. */
function treeRings(colour: string): string {
  const notch = `<rect x="${X - 1}" y="${Y - 79}" width="2" height="7" fill="${BRASS}"`;
  return wash(63, colour) + circle(68, colour, 1.5, 0.5) + circle(63, colour, 6) + circle(57, BRASS) + around(24, 0, notch);
}

/** Eight arcs around the middle, on a circle of radius r. */
function lobes(r: number, arc: number): string {
  const at = (i: number) => {
    const angle = ((i * 45 - 22.5) * Math.PI) / 180;
    return `${round(X + r * Math.cos(angle))} ${round(Y + r * Math.sin(angle))}`;
  };
  const arcs = Array.from({ length: 8 }, (_, i) => `A${arc} ${arc} 0 0 1 ${at(i + 1)}`);
  return `M${at(0)}${arcs.join("")}Z`;
}

/** Office: an eight-lobed badge of the court. */
function badge(colour: string): string {
  return (
    wash(72, colour) +
    `<path d="${lobes(66, 27)}" fill="none" stroke="${colour}" stroke-width="6" stroke-linejoin="round"/><path d="${lobes(57, 23.5)}" fill="none" stroke="${BRASS}" stroke-width="1.5"/>` +
    around(8, 22.5, `<circle cx="${X}" cy="${Y - 60}" r="2.6" fill="${BRASS}"`)
  );
}

/** Fortune: the square of paper that is hung on its corner. */
function paperSquare(colour: string): string {
  const square = (half: number, attributes: string) =>
    `<rect x="${X - half}" y="${Y - half}" width="${2 * half}" height="${2 * half}" ${attributes} transform="rotate(45 ${X} ${Y})"/>`;
  const corner = `<path d="M${X - 52} ${Y - 52}h17M${X - 52} ${Y - 52}v17M${X - 45} ${Y - 45}h10M${X - 45} ${Y - 45}v10" fill="none" stroke="${BRASS}" stroke-width="1.5"`;
  return (
    square(55, `fill="${colour}" opacity=".07"`) +
    square(55, `rx="4" fill="none" stroke="${colour}" stroke-width="6"`) +
    square(48, `fill="none" stroke="${BRASS}" stroke-width="1.5"`) +
    around(4, 0, corner)
  );
}

/** A band of waves at the foot of the panel. */
function waves(colour: string): string {
  const wave = Array.from({ length: 6 }, (_, i) => {
    const x = 54 + i * 23.7;
    return `M${round(x)} 312a11.85 11.85 0 0 1 23.7 0M${round(x + 5)} 312a6.85 6.85 0 0 1 13.7 0`;
  });
  return `<path d="${wave.join("")}" fill="none" stroke="${colour}" stroke-width="1.5" opacity=".55"/>`;
}

const FRAMES = { Shou: treeRings, Lu: badge, Fu: paperSquare } as const;
const SIGN_SIZES = { Shou: 70, Lu: 70, Fu: 62 } as const;
const SIGN_NAMES = { Shou: "shou", Lu: "lu", Fu: "fu" } as const;

/** Shou, Lu or Fu: its sign in its own frame, and its name. */
export function fortune(rank: Fortune, element: Element, colour: string): string {
  const size = SIGN_SIZES[rank];
  const brush = { paint: `fill="${colour}"`, weight: rank === "Shou" ? 11 : 10 };
  return [
    panel(colour),
    `<g transform="translate(${X} ${Y}) scale(.84) translate(${-X} ${-Y})">${FRAMES[rank](colour)}</g>`,
    signPath(SIGN_NAMES[rank], X - size / 2, Y - size / 2, size, brush),
    `<path d="M100 268H150" stroke="${BRASS}" stroke-width="1.5"/>`,
    pipPath(element, X, 70, 26, colour),
    `<text x="${X}" y="290" text-anchor="middle" font-size="17" letter-spacing="5" dx="2.5" fill="${colour}" class="lettering" font-weight="600">${rank.toUpperCase()}</text>`,
    waves(colour),
  ].join("");
}
