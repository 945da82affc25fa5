import en from "../../i18n/en/signin.json";
import ms from "../../i18n/ms/signin.json";
import ta from "../../i18n/ta/signin.json";
import zh from "../../i18n/zh-Hans/signin.json";
import { words } from "../../i18n/words";

export const say = words(en, zh, ms, ta);
