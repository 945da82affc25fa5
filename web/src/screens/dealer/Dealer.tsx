import type { ScreenProps } from "../../app/App";

export default function Dealer(props: ScreenProps) {
  return <main class="waiting">{props.route.screen}</main>;
}
