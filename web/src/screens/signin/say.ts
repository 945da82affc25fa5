import en from "../../i18n/en/signin.json";
import { words } from "../../i18n/words";

export const say = words("signin", en);
