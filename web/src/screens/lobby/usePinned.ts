/** The pinned tables: each is followed, and has its own bets. */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { follow } from "../../api/live";
import type { Topic } from "../../api/topics";
import type { SocketSchemas, TableView } from "../../api/types";
import { type Betting, makeBetting } from "../terminal/betting";
import { keep, kept, toggled } from "./pins";

export interface Pinned {
  name: string;
  topic: Signal<Topic<TableView> | null>;
  betting: Betting;
}

export interface Pins {
  tables: ReadonlySignal<readonly Pinned[]>;
  toggle: (name: string) => void;
  start: (names: readonly string[]) => void;
}

class Held implements Pins {
  readonly tables = signal<readonly Pinned[]>([]);
  private readonly leaving = new Map<string, () => void>();

  private opened(name: string): Pinned {
    const [topic, leave] = follow<TableView>(`table:${name}`);
    const [mine, leaveMine] = follow<SocketSchemas["Mine"]>("me");
    const betting = makeBetting(name, topic, mine);
    this.leaving.set(name, () => {
      betting.dispose();
      leave();
      leaveMine();
    });
    return { name, topic, betting };
  }

  private close(name: string): void {
    this.leaving.get(name)?.();
    this.leaving.delete(name);
  }

  start = (names: readonly string[]): void => {
    const before = this.tables.peek();
    for (const { name } of before) if (!names.includes(name)) this.close(name);
    this.tables.value = names.map((name) => before.find((one) => one.name === name) ?? this.opened(name));
  };

  toggle = (name: string): void => {
    const names = toggled(this.tables.peek().map((one) => one.name), name);
    keep(names);
    this.start(names);
  };

  end = (): void => {
    for (const name of [...this.leaving.keys()]) this.close(name);
  };
}

export function usePinned(): Pins {
  const pins = useMemo(() => new Held(), []);
  useEffect(() => {
    pins.start(kept());
    return pins.end;
  }, [pins]);
  return pins;
}
