import en from "../../i18n/en/several.json";
import { words } from "../../i18n/words";

export const say = words("several", en);
