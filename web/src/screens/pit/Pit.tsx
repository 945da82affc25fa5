import type { ScreenProps } from "../../app/App";

export default function Pit(props: ScreenProps) {
  return <main class="waiting">{props.route.screen}</main>;
}
