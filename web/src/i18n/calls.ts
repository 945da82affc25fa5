/** Words about calling an attendant and asking about a round. */
import en from "./en/calls.json";
import { words } from "./words";
import zh from "./zh-Hans/calls.json";

export const say = words(en, zh);
