/** What patrons read while a round waits: what happened, and what it waits for. */
import type { Schemas } from "../api/types";
import en from "./en/holds.json";
import { told } from "./lists";
import { words } from "./words";

const say = words("holds", en);

export type Hold = Pick<Schemas["HoldShown"], "kind" | "situation">;

export const happenedWords = (situation: Schemas["Situation"]): string => say(`what_${situation}`);

/** What happened, where what is waited for does not say it. */
export const happenedBefore = ({ kind, situation }: Hold): string => (situation === null || (kind === "reset" && situation === "device_reset") ? "" : happenedWords(situation));

/** What a round waits for; that something was reported goes without saying where it is said what. */
export const waitsWords = ({ kind, situation }: Hold): string => (kind === "report" && situation !== null ? "" : say(`waits_${kind}`));

/** Both, as far as there is something to say. */
export const readBy = (hold: Hold): string => told(happenedBefore(hold), waitsWords(hold));
