import en from "../../i18n/en/several.json";
import { words } from "../../i18n/words";
import ms from "../../i18n/ms/several.json";
import ta from "../../i18n/ta/several.json";
import zh from "../../i18n/zh-Hans/several.json";

export const say = words(en, zh, ms, ta);
