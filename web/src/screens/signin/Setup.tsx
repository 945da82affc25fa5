import type { ScreenProps } from "../../app/App";

export default function Setup(props: ScreenProps) {
  return <main class="waiting">{props.route.screen}</main>;
}
