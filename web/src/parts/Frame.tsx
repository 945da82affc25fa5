/** The frame of a console that stands beside the tables: navigation, title, who one is. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { somebody } from "../app/session";
import { mark } from "../draw/house";
import { Svg } from "../draw/Svg";
import { say as common } from "../i18n/common";
import { clock } from "../i18n/money";
import { positionName } from "../i18n/names";
import { now } from "../state/clock";
import { Icon, type IconName } from "./Icon";
import { Link } from "./Link";
import { SettingsButton } from "./Settings";

export interface Way {
  to: string;
  icon: IconName;
  name: string;
}

const Clock = () => <>{clock(now.value)}</>;

export function Frame(props: { title: string; at: string; ways: readonly Way[]; children: ComponentChildren; age?: string | null }) {
  useEffect(() => {
    document.title = `${props.title} · Croupier`;
  }, [props.title]);
  const who = somebody.value;
  return (
    <div class="pit pitlike one">
      <nav class="nav" aria-label={props.title}>
        <Svg of={mark()} label="" />
        {props.ways.map((way) => (
          <Link key={way.to} to={way.to} label={way.name} current={way.to === props.at}>
            <Icon name={way.icon} />
          </Link>
        ))}
      </nav>
      <header class="top">
        <h1>{props.title}</h1>
        {props.age != null && <span class="age">{common("asOf", { time: props.age })}</span>}
        <span class="plain" />
        <div class="who">
          <b>
            {who?.name}
            {who?.position != null && `, ${positionName(who.position)}`}
          </b>
          <Clock />
        </div>
        <SettingsButton />
      </header>
      <main class="main pad" tabIndex={-1}>
        {props.children}
      </main>
    </div>
  );
}
