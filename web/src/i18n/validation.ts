/** The number that proves a ticket: shown in groups of four, and typed however people type it. */
const GROUP = /.{1,4}/gu;

/** 8K2M 11QX 09ZD 4F7T. */
export const inGroups = (validation: string): string => (validation.match(GROUP) ?? []).join(" ");

/** •••• 4F7T: what is hidden of it takes no more room than its end. */
export const hiddenPart = (validation: string): string => inGroups(validation).replace(/^(?:•+ )+/u, "•••• ");

/** What was typed as the house has it: no spaces, no hyphens, capital letters. */
export const validationTyped = (text: string): string => text.replaceAll(/[\s\p{Pd}]/gu, "").toUpperCase();
