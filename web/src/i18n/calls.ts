/** Words about calling an attendant and asking about a round. */
import en from "./en/calls.json";
import { words } from "./words";

export const say = words("calls", en);
