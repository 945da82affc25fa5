/** The frame of a console that stands beside the tables: navigation, title, who one is. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { somebody } from "../app/session";
import { mark } from "../draw/house";
import { Svg } from "../draw/Svg";
import { say as common } from "../i18n/common";
import { clock } from "../i18n/money";
import { positionName } from "../i18n/names";
import { now } from "../state/clock";
import { Icon, type IconName } from "./Icon";
import { KeysButton } from "./KeyList";
import { useKeys } from "./keys";
import { Link } from "./Link";
import { Lost } from "./Lost";
import { nextRegion } from "./regions";
import { SettingsButton } from "./Settings";
import { useTitle } from "./title";

export interface Way {
  to: string;
  icon: IconName;
  name: string;
  /** How many of it wait for somebody; 0 or left out: none. */
  waits?: number;
}

/** So few ways have room for their names on a phone. */
const FEW = 3;

const Clock = () => <>{clock(now.value)}</>;

function Ways({ ways, at, title }: { ways: readonly Way[]; at: string; title: string }) {
  return (
    <nav class={ways.length <= FEW ? `nav few n${ways.length}` : "nav"} aria-label={title} data-region>
      <Svg of={mark()} label="" />
      {ways.map((way) => (
        <Link key={way.to} to={way.to} label={way.name} current={way.to === at}>
          <Icon name={way.icon} />
          {ways.length <= FEW && <span class="word">{way.name}</span>}
          {(way.waits ?? 0) > 0 && <span class="n">{way.waits}</span>}
        </Link>
      ))}
    </nav>
  );
}

export function Frame(props: {
  title: string;
  at: string;
  ways: readonly Way[];
  children: ComponentChildren;
  age?: string | null;
  /** Figures of the whole, beside the title. */
  figures?: ComponentChildren;
  side?: { label: string; content: ComponentChildren };
}) {
  const main = useRef<HTMLElement>(null);
  useKeys({ F6: { does: common("keyRegions"), press: () => nextRegion() } });
  useTitle(props.title);
  useEffect(() => {
    main.current?.scrollTo(0, 0);
  }, [props.title]);
  const who = somebody.value;
  return (
    <div class={props.side === undefined ? "pit pitlike one" : "pit pitlike sided"}>
      <Ways ways={props.ways} at={props.at} title={props.title} />
      <header class="top">
        <h1>{props.title}</h1>
        {props.age != null && <span class="age">{common("asOf", { time: props.age })}</span>}
        {props.figures ?? <span class="plain" />}
        <div class="who">
          <b>
            {who?.name}
            {who?.position != null && (
              <>
                <span class="cm">, </span>
                <span class="pos">{positionName(who.position)}</span>
              </>
            )}
          </b>
          <Clock />
        </div>
        <KeysButton />
        <SettingsButton />
      </header>
      <main class={props.side === undefined ? "main pad" : "main"} tabIndex={-1} ref={main} data-region>
        <Lost />
        {props.children}
      </main>
      {props.side !== undefined && (
        <aside class="sidep" tabIndex={-1} data-region aria-label={props.side.label}>
          {props.side.content}
        </aside>
      )}
    </div>
  );
}
