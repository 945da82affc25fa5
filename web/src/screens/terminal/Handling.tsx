/** What lies above the message line: hands, the cards somebody holds, the shaker. */
import { Hands } from "./Hands";

export function Handling() {
  return <Hands />;
}
