/** Words that all screens share, and names that stay as approved with their translation beside. */
import en from "./en/common.json";
import { words } from "./words";

export const say = words("common", en);
