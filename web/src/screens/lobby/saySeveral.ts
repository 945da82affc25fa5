import en from "../../i18n/en/several.json";
import { words } from "../../i18n/words";
import zh from "../../i18n/zh-Hans/several.json";

export const say = words(en, zh);
