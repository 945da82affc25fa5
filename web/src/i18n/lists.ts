/** Names and sentences one after another, as a language sets them apart. */
import { settings } from "../state/settings";

const chinese = (): boolean => settings.value.language === "zh-Hans";

export const listed = (names: readonly (string | number)[]): string => names.join(chinese() ? "、" : ", ");

/** A full stop in Chinese has its own room: no space stands behind it. What is empty is left out. */
export const told = (...sentences: readonly string[]): string => sentences.filter((one) => one !== "").join(chinese() ? "" : " ");
