/** Words that all screens share, and names that stay as approved with their translation beside. */
import en from "./en/common.json";
import ms from "./ms/common.json";
import ta from "./ta/common.json";
import zh from "./zh-Hans/common.json";
import { words } from "./words";

export const say = words(en, zh, ms, ta);
