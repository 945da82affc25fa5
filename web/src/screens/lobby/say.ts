import en from "../../i18n/en/lobby.json";
import { words } from "../../i18n/words";

export const say = words("lobby", en);
