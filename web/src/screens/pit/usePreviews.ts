/** What commands would do, asked of the server; nothing is recorded by asking. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post, Refused } from "../../api/http";
import type { Command, Previewed, Problem } from "../../api/types";

export type Answer = { preview: Previewed } | { problem: Problem };

async function asked(table: string, command: Command): Promise<Answer> {
  try {
    return { preview: await post<Previewed>(`/tables/${encodeURIComponent(table)}/preview`, { command }) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.problem };
    throw error;
  }
}

/** Answers by the key of each command; asked anew when commands change, or the table went on. */
export function usePreviews(table: string, commands: Readonly<Record<string, Command>>, state: string | number): Record<string, Answer> {
  const answers = useSignal<Record<string, Answer>>({});
  const wanted = JSON.stringify(commands);
  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<void> => {
      const all = Object.entries(JSON.parse(wanted) as Record<string, Command>);
      const found = await Promise.all(all.map(async ([key, command]) => [key, await asked(table, command)] as const));
      if (!gone) answers.value = Object.fromEntries(found);
    };
    void ask();
    return () => void (gone = true);
  }, [table, wanted, state]);
  return answers.value;
}
