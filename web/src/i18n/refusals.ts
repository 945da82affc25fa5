/**
 * Refusals in the language of the screen, by their code. The house says each of them in English,
 * with what came and what is allowed; another language says what it means and keeps those figures
 * beside it.
 */
import type { Problem } from "../api/types";
import { translation } from "./catalogues";
import { say } from "./common";

export interface Said {
  sentence: string;
  /** The house's own sentence with its figures, where the first is a translation. */
  own: string | null;
}

const translations = translation("refusals");
const CLAUSE = / ?\[[A-Z0-9]+ [^\]]+\]/g;

export function refusal({ code, detail }: Pick<Problem, "code" | "detail">): Said {
  const own = detail.replace(CLAUSE, "");
  const translated = translations.value[code];
  return translated === undefined ? { sentence: own, own: null } : { sentence: translated, own };
}

/** For a line that has no room for more. */
export const refusalLine = (problem: Pick<Problem, "code" | "detail">): string => {
  const { sentence, own } = refusal(problem);
  return own === null ? sentence : say("beside", { sentence, own });
};

/** The reason alone, where there is room for a few words. */
export const refusalName = (code: string): string => translations.value[code]?.replace(/[。.]$/, "") ?? code.replaceAll("_", " ");
