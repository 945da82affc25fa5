/** What happened, in words; an event that has none yet is shown by its name. */
import en from "./en/events.json";
import { words } from "./words";

const say = words("events", en);

export const eventName = (name: string): string => (name in en ? say(name as keyof typeof en) : name.replaceAll("_", " "));
