/** The journal as a browser, for whoever audits: it shows everything and changes nothing. */
import "../pit/pit.css";
import "../pit/more.css";
import "../cage/cage.css";
import "./audit.css";
import type { ScreenProps } from "../../app/App";
import { Frame, type Way } from "../../parts/Frame";
import { Decisions } from "./Decisions";
import { Overview } from "./Overview";
import { say } from "./say";

const ways = (): Way[] => [
  { to: "/audit", icon: "lock", name: say("journal") },
  { to: "/cage", icon: "cash", name: say("cage") },
];

export default function Audit({ route }: ScreenProps) {
  return (
    <Frame title={say("audit")} at="/audit" ways={ways()}>
      {route.name === null ? <Overview /> : <Decisions key={route.name} stream={route.name} />}
    </Frame>
  );
}
