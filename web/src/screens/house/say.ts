import en from "../../i18n/en/house.json";
import { words } from "../../i18n/words";

export const say = words("house", en);
export type Word = keyof typeof en;
