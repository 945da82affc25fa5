import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { COURTS, FORTUNES, NUMERALS, card, cardBack, cardName } from "./cards.ts";
import { DENOMINATIONS, chip, dollars, stack } from "./chips.ts";
import { die, shaker } from "./die.ts";
import { mark } from "./house.ts";
import { ICON_NAMES, icon } from "./icons.ts";
import { DESKTOP, PHONE, SHEET, bandPlot, type BandData } from "./plot.ts";
import { ring } from "./ring.ts";
import { ROAD_NAMES, askMarks, road, summary, type RoadOptions } from "./roadmap.ts";
import { drawRoads, parseCoups, type RoadKind, type Side } from "./roads.ts";
import { SIGN_NAMES, sign } from "./signs.ts";
import { squeeze, type Edge } from "./squeeze.ts";
import { ELEMENTS, SUITS, elementSign, pip, suitName } from "./suits.ts";
import { Svg } from "./Svg.tsx";
import { ticketBars } from "./ticket.ts";
import type { Drawing } from "./svg.ts";
import "./draw.css";
import "./gallery.css";

function Figure({ of, children }: { of: Drawing; children?: ComponentChildren }) {
  return (
    <figure>
      <Svg of={of} />
      {children && <figcaption>{children}</figcaption>}
    </figure>
  );
}

function Section({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      {note && <p class="note">{note}</p>}
      {children}
    </section>
  );
}

interface Spoken {
  language: "en" | "zh";
}

function Decks({ language }: Spoken) {
  const named = { language };
  return (
    <>
      <Section title="The deck of 52" note="Two-colour by default, four-colour by choice. Pips keep their classic places so that a squeezed edge tells what it always told.">
        {SUITS.map((suit) => (
          <div class="deck" key={suit}>
            {[...NUMERALS, ...COURTS].map((rank) => <Svg key={rank} of={card(`${rank}${suit}`, named)} />)}
          </div>
        ))}
      </Section>
      <Section title="The deck of 65" note="Five elements and three courts: Shou (long life), Lu (office), Fu (fortune). Every element has its own outline as well as its own colour.">
        <div class="elements">
          {ELEMENTS.map((element) => (
            <div key={element} class={element.toLowerCase()}>
              <Svg of={pip(element, { language })} label="" />
              <Svg of={sign(elementSign(element) ?? "fire")} label="" />
              {suitName(element, language)}
            </div>
          ))}
        </div>
        {ELEMENTS.map((element) => (
          <div class="deck" key={element}>
            {[...NUMERALS, ...FORTUNES].map((rank) => <Svg key={rank} of={card(`${rank}-${element}`, named)} />)}
          </div>
        ))}
      </Section>
      <Section title="Courts, close up">
        <div class="shelf large">
          {["KS", "QH", "JC", "Shou-Water", "Lu-Fire", "Fu-Gold"].map((text) => (
            <Figure key={text} of={card(text, { language })}>{cardName(text, language)}</Figure>
          ))}
        </div>
      </Section>
    </>
  );
}

const EDGES: readonly Edge[] = ["short", "long", "corner"];

/** The slider moves by five percent: what the arrow keys of a terminal do. */
function Lifting({ language }: Spoken) {
  const [edge, setEdge] = useState<Edge>("short");
  const [percent, setPercent] = useState(30);
  const id = useId();
  return (
    <div class="shelf lifting">
      <figure><Svg of={squeeze("7S", { edge, amount: percent / 100, language, id })} /></figure>
      <fieldset>
        <legend>Squeeze</legend>
        {EDGES.map((one) => (
          <label key={one}>
            <input type="radio" name={`${id}-edge`} checked={one === edge} onChange={() => setEdge(one)} /> {one}
          </label>
        ))}
        <label>
          {percent} %
          <input type="range" min="0" max="100" step="5" value={percent} onInput={(event) => setPercent(Number(event.currentTarget.value))} />
        </label>
      </fieldset>
    </div>
  );
}

function Backs({ language }: Spoken) {
  return (
    <Section title="Backs, and the squeeze" note="The index is left out while a card is squeezed, as thumbs would cover it; it appears when the card is turned.">
      <div class="shelf squeezes">
        <Figure of={cardBack(52, { language })}>Back, 52</Figure>
        <Figure of={cardBack(65, { language })}>Back, 65</Figure>
        <Figure of={squeeze("9S", { amount: 0.42, id: "gallery-1" })}>Short edge, 42 %</Figure>
        <Figure of={squeeze("8H", { edge: "long", amount: 0.5, id: "gallery-2" })}>Long edge, 50 %</Figure>
        <Figure of={squeeze("4-Gold", { edge: "corner", amount: 0.75, id: "gallery-3" })}>Corner, 75 %</Figure>
        <Figure of={squeeze("Lu-Fire", { amount: 0.7, id: "gallery-4" })}>Short edge, 70 %</Figure>
      </div>
      <Lifting language={language} />
    </Section>
  );
}

function SmallCards() {
  const compact = ["AS", "TH", "7D", "KC", "4-Gold", "Lu-Fire", "9-Water", "T-Earth", "6-Wood"];
  return (
    <Section title="Compact face (below 64 px) and four-colour">
      <div class="shelf compact">
        {compact.map((text) => <Figure key={text} of={card(text, { detail: "compact" })} />)}
        {["9D", "9C", "9H", "9S"].map((text) => <Figure key={text} of={card(text, { detail: "compact", fourColours: true })} />)}
      </div>
    </Section>
  );
}

function Hands() {
  return (
    <Section title="Third card across">
      <div class="shelf hand">
        <Figure of={card("9S")} />
        <Figure of={card("KD")} />
        <figure class="third"><Svg of={card("4C", { across: true })} /></figure>
        <figure class="third"><Svg of={cardBack(65, { across: true })} /></figure>
      </div>
    </Section>
  );
}

function Chips({ language }: Spoken) {
  return (
    <Section title="Chips" note="Colour, number of edge marks and printed value all differ.">
      <div class="shelf chips">
        {DENOMINATIONS.map((value) => <Figure key={value} of={chip(value, language)}>{dollars(value)}</Figure>)}
      </div>
      <div class="shelf chips">
        {[2_500, 13_000, 27_500, 162_500, 760_000, 1_850_000].map((cents) => <Figure key={cents} of={stack(cents)}>{dollars(cents)}</Figure>)}
      </div>
    </Section>
  );
}

function Signs({ language }: Spoken) {
  return (
    <Section title="Signs">
      <div class="signs">{SIGN_NAMES.map((name) => <Svg key={name} of={sign(name, { language })} />)}<Svg of={mark()} /></div>
    </Section>
  );
}

const SHOES = {
  badges: "B B+B4 P P+P4 B P B T B B B P P P B P B+pp P B B P T P+P4 P B B B B P B B+B4 P B P P B T B P B+B4+bp",
  long: "B B P B+bp P P T P B B B B B T B B P B P P B P+pp B B T T B P P P B P B B P P T+bp P B B B+6 P B P P P P B T B B P B P B B+bp B P B",
  dragon: "P B B B B B B B B B T B P P B P B P T P P B B P B B P B P P P T B P P B B B",
  ties: "T T",
} as const;

const ROADS: readonly [string, RoadKind, keyof typeof SHOES, RoadOptions][] = [
  ["Bead plate, letters and badges", "bead", "badges", { columns: 9, cell: 28 }],
  ["Bead plate, signs", "bead", "long", { columns: 9, cell: 28, signs: true }],
  ["Big road with a dragon tail", "big", "dragon", { columns: 12, cell: 21 }],
  ["Big road, mini", "big", "dragon", { columns: 18, cell: 14 }],
  ["Big eye boy", "big_eye", "long", { columns: 18, cell: 14 }],
  ["Small road", "small", "long", { columns: 18, cell: 14 }],
  ["Cockroach pig", "cockroach", "long", { columns: 18, cell: 14 }],
  ["Only ties so far", "big", "ties", { columns: 12, cell: 21 }],
];

/** Pressing what would come next shows it on the roads; pressing again takes it away. */
function Ask({ language }: Spoken) {
  const [next, setNext] = useState<Side | null>(null);
  const coups = parseCoups(SHOES.dragon);
  const roads = drawRoads(coups);
  const asked = next ? { asked: drawRoads([...coups, { winner: next }]) } : {};
  return (
    <>
      <div class="ask">
        {(["banker", "player"] as const).map((side) => (
          <button key={side} type="button" aria-pressed={next === side} onClick={() => setNext(next === side ? null : side)}>
            {side === "banker" ? "If Banker" : "If Player"} <Svg of={askMarks(roads.ask[side], { language })} />
          </button>
        ))}
      </div>
      <div class="roads">
        {(["big", "big_eye", "small", "cockroach"] as const).map((kind) => (
          <Figure key={kind} of={road(roads, kind, { columns: 18, cell: kind === "big" ? 21 : 12, language, ...asked })}>
            {ROAD_NAMES[kind][language]}
          </Figure>
        ))}
      </div>
      <p class="note">{summary("big", roads, language)}</p>
    </>
  );
}

function RoadsShown({ language }: Spoken) {
  return (
    <Section title="Roads: blue carries a cut">
      <div class="roads">
        {ROADS.map(([title, kind, shoe, options]) => (
          <Figure key={title} of={road(drawRoads(parseCoups(SHOES[shoe])), kind, { ...options, language })}>{title}</Figure>
        ))}
      </div>
      <Ask language={language} />
      <p class="note">Roads are for information only and are no forecast.</p>
    </Section>
  );
}

function Devices({ language }: Spoken) {
  return (
    <Section title="Rings, die, shaker">
      <div class="shelf rings">
        <Figure of={ring(22, 25)}>open</Figure>
        <Figure of={ring(10, 25)}>10 s</Figure>
        <Figure of={ring(4, 25)}>Last bets</Figure>
        {([1, 2, 3, 4, 5, 6] as const).map((shows) => <Figure key={shows} of={die(shows, language)}>{shows}</Figure>)}
      </div>
      <div class="shelf large">
        {(["closed", "moving", 3] as const).map((state) => <Figure key={state} of={shaker(state, language)}>{state}</Figure>)}
        <div class="paper"><Svg of={ticketBars("936019377010")} /></div>
      </div>
    </Section>
  );
}

const ROUNDS = Array.from({ length: 28 }, (_, i) => i * 20);
const WINS: BandData = {
  xs: ROUNDS,
  line: [
    0, 900, -600, 2400, 5200, 3100, 6400, 9800, 7200, 5600, 8800, 12100, 9400, 4200, 900, -3600, -1200, 2800, -900, -5400, -9800, -13600,
    -11200, -16400, -19800, -15200, -12400, -18640,
  ],
  expected: ROUNDS.map((x) => x * 9.08),
  half: ROUNDS.map((x) => 3800 * Math.sqrt(x / 4)),
  ticks: ["12:00", "14:30", "17:00", "19:20", "21:47"].map((text, i) => ({ x: i * 135, text })),
  notes: [
    { x: 540, y: -18640, text: "−18,640", anchor: "end", below: true },
    { x: 480, y: -19800, text: "20,000 on Tie, seat 2", anchor: "end", below: true, minor: true },
  ],
  scale: { min: -45000, max: 55000, step: 20000 },
  label: "Win of table 21 by round: now minus 18,640; expected plus 4,904; the 95 percent band now reaches from minus 39,000 to plus 49,000",
};

function Plots() {
  return (
    <Section title="Win against its band" note="Solid: what happened. Long dashes: expected. Tint: the 95 % band. The second drawing is for a sheet, the third for phones.">
      <div class="plots">
        <figure class="desktop"><Svg of={bandPlot(WINS, DESKTOP)} /></figure>
        <figure class="sheet"><Svg of={bandPlot(WINS, SHEET)} /></figure>
        <figure class="phone"><Svg of={bandPlot(WINS, PHONE)} /></figure>
      </div>
    </Section>
  );
}

function Icons() {
  return (
    <Section title="Icons">
      <div class="icons">
        {ICON_NAMES.map((name) => <span key={name}><Svg of={icon(name)} /> {name}</span>)}
      </div>
    </Section>
  );
}

function switchTheme(): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = dataset["theme"] === "light" ? "dark" : "light";
}

/** Everything that is drawn, on one page. */
export function Gallery() {
  const [language, setLanguage] = useState<"en" | "zh">("en");
  return (
    <main class="gallery">
      <h1>Cards and chips</h1>
      <p class="note">Drawn from rank, suit and size by one function each. Index numerals, Chinese signs, suits and courts are paths of our own: they look the same on every machine, with no font.</p>
      <Decks language={language} />
      <Backs language={language} />
      <SmallCards />
      <Hands />
      <Chips language={language} />
      <Signs language={language} />
      <RoadsShown language={language} />
      <Devices language={language} />
      <Plots />
      <Icons />
      <p class="ask">
        <button type="button" onClick={switchTheme}>Dark or light felt</button>
        <button type="button" onClick={() => setLanguage(language === "en" ? "zh" : "en")}>Names in English or Chinese</button>
      </p>
    </main>
  );
}
