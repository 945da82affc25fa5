import type { ScreenProps } from "../../app/App";

export default function SignIn(props: ScreenProps) {
  return <main class="waiting">{props.route.screen}</main>;
}
