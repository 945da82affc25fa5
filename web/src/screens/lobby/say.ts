import en from "../../i18n/en/lobby.json";
import { words } from "../../i18n/words";
import zh from "../../i18n/zh-Hans/lobby.json";

export const say = words(en, zh);
