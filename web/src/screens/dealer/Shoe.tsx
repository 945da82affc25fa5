/** A new shoe: its name, where the cut card is, and how many cards are removed unseen. */
import { type Signal, useSignal } from "@preact/signals";
import { Checklist } from "../../parts/Checklist";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { fieldOf, opening } from "../../state/may";
import type { Desk } from "./context";
import { Foot } from "./Foot";
import { say } from "./say";
import { nextShoe } from "./shoes";
import { Top } from "./Top";

const BEHIND = 14;
const REMOVED = [0, 1, 2, 3, 4] as const;

/** Where the cut card lies. */
function CutCard({ cards, behind }: { cards: number; behind: Signal<number> }) {
  return (
    <div class="q">
      <h4 id="cut">{say("cutBehind")}</h4>
      <div class="row cutrow">
        <div class="grow">
          <div class="cutbar" aria-hidden="true">
            <b style={{ left: `${((cards - behind.value) / cards) * 100}%` }} />
            <span class="front">{say("inFront", { n: cards - behind.value })}</span>
            <span class="behind">{say("behind", { n: behind.value })}</span>
          </div>
        </div>
        <input
          class="in num"
          inputMode="numeric"
          aria-labelledby="cut"
          defaultValue={String(behind.value)}
          onInput={(e) => void (behind.value = /^\d+$/.test(e.currentTarget.value) ? Number(e.currentTarget.value) : -1)}
        />
      </div>
      <p class="xs muted">{say("cutNote", { cards })}</p>
    </div>
  );
}

function Removed({ removed }: { removed: Signal<number> }) {
  return (
    <div class="q">
      <h4 id="burn">{say("removedUnseen")}</h4>
      <div class="segbig" role="radiogroup" aria-labelledby="burn">
        {REMOVED.map((n) => (
          <button key={n} role="radio" aria-checked={removed.value === n} onClick={() => void (removed.value = n)}>
            {n}
          </button>
        ))}
      </div>
    </div>
  );
}

/** What has been done before the shoe is in play, and what comes. */
function Before({ desk, keeps, front, removed }: { desk: Desk; keeps: boolean; front: number; removed: number }) {
  const { view } = desk;
  return (
    <Checklist
      label={say("beforePlay")}
      steps={[
        { title: say("oldShoeOver"), note: view.shoe === null ? say("noShoeYet") : say("dealtOf", { n: view.shoe.cards - view.shoe.left, all: view.shoe.cards }), state: keeps ? "now" : "done" },
        { title: say("cutPlaced"), note: say("inFront", { n: front }), state: keeps ? "later" : "now" },
        { title: say("loaded"), note: say("loadedNote"), state: "later" },
        { title: say("removedStep", { n: removed }), note: say("removedNote"), state: "later" },
      ]}
    />
  );
}

export function Shoe({ desk }: { desk: Desk }) {
  const { view, part } = desk;
  const open = opening(part.may, "load_shoe");
  const taken = (fieldOf(open, "shoe")?.other_than ?? []).map(String);
  const name = useSignal(nextShoe(view.shoe?.name ?? null, taken));
  const behind = useSignal(BEHIND);
  const removed = useSignal(1);
  const decks = view.rules?.decks ?? 8;
  const size = fieldOf(open, "cut_behind")?.allowed;
  const cards = size && !Array.isArray(size) ? size.maximum : decks * 52;
  const called = name.value.trim();
  const fits = called !== "" && !taken.includes(called);
  const cuts = behind.value >= 0 && behind.value <= cards;
  const whyNot = open === undefined ? "shoeLater" : !fits ? "shoeNameWrong" : !cuts ? "cutWrong" : null;
  const load = async (): Promise<void> => {
    const done = await desk.act({ type: "load_shoe", shoe: name.value.trim(), cut_behind: behind.value });
    if (done === null) return;
    if (removed.value > 0) await desk.act({ type: "remove_cards", count: removed.value });
    desk.mode.value = { kind: "round" };
  };
  const keeps = view.shoe !== null && !view.shoe.ended && part.next.command !== "load_shoe";
  return (
    <div class="dealer app full">
      <Top desk={desk} steps={false} />
      <main class="mid" aria-label={say("newShoe")}>
        <div class="rtitle">
          <div>
            <h2>{say("newShoe")}</h2>
            <p>{view.shoe === null ? say("noShoeYet") : say("shoeOver", { n: view.shoe.name })}</p>
          </div>
        </div>
        <Trouble problem={desk.problem} title={say("notDone")} />
        <div class="split">
          <section class="panel">
            <header>
              <h2>{say("shoeN", { n: name.value })}</h2>
              <span class="end tag">{say("notInPlay")}</span>
            </header>
            <div class="in3">
              <div class="two">
                <label class="fld">
                  {say("shoeName")}
                  <input class="in" value={name.value} onInput={(e) => void (name.value = e.currentTarget.value)} />
                </label>
                <div class="fld">
                  {say("decks")}
                  <input class="in" readOnly value={say("decksCards", { decks, cards })} />
                </div>
              </div>
              <CutCard cards={cards} behind={behind} />
              <Removed removed={removed} />
            </div>
          </section>
          <section class="panel">
            <header>
              <h2>{say("beforePlay")}</h2>
            </header>
            <Before desk={desk} keeps={keeps} front={cards - behind.value} removed={removed.value} />
          </section>
        </div>
        <div class="tip">
          <Icon name="info" />
          <div>{say("newShoeNote")}</div>
        </div>
      </main>
      <Foot
        left={
          <>
            {keeps && (
              <button class="btn" onClick={() => void (desk.mode.value = { kind: "round" })}>
                {say("keepShoe", { n: view.shoe?.name ?? "" })}
              </button>
            )}
            <button class="btn quiet" onClick={() => void (desk.mode.value = { kind: "close" })}>
              {say("closeTable")}
            </button>
            <button class="btn quiet" onClick={() => void (desk.over.value = { kind: "acts" })}>
              {say("allActs")}
            </button>
          </>
        }
        line={whyNot === null ? say("forPlay", { n: cards - removed.value }) : say(whyNot)}
        primary={say("loadShoe", { n: name.value })}
        enabled={whyNot === null}
        busy={desk.busy}
        onPrimary={() => void load()}
      />
    </div>
  );
}
