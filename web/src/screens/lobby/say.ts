import en from "../../i18n/en/lobby.json";
import { words } from "../../i18n/words";
import ms from "../../i18n/ms/lobby.json";
import ta from "../../i18n/ta/lobby.json";
import zh from "../../i18n/zh-Hans/lobby.json";

export const say = words(en, zh, ms, ta);
