/** Commands in the words of the screens that give them; one that none of them gives, by its name. */
import { named as atCage } from "../cage/say";
import { named as atTable } from "../dealer/say";

export function commandName(type: string): string {
  const plain = type.replaceAll("_", " ");
  const found = [atTable("command", type), atCage("act", type)].find((words) => words !== plain);
  return found ?? plain;
}
