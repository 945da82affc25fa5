/** Arrows move between the tables of the lobby, by their places. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../../i18n/common";
import { arrows, useKeys } from "../../parts/keys";
import { type Box, type Direction, nearest } from "./nearest";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export function useGridKeys(): RefObject<HTMLDivElement | null> {
  const grid = useRef<HTMLDivElement>(null);
  useKeys({ ...arrows(say("keyTables")), Enter: { does: say("keyOpen") } });
  useEffect(() => {
    const box = grid.current;
    if (box === null) return undefined;
    const pressed = (event: KeyboardEvent): void => {
      const direction = ARROWS[event.key];
      const tile = (event.target as HTMLElement).closest<HTMLElement>("[data-tile]");
      if (direction === undefined || tile === null) return;
      const tiles = [...box.querySelectorAll<HTMLElement>("[data-tile]")];
      const boxes = tiles.map((one): Box => one.getBoundingClientRect());
      const found = nearest(boxes, tiles.indexOf(tile), direction);
      if (found === null) return;
      event.preventDefault();
      tiles[found]?.querySelector<HTMLElement>("a, button:not([disabled])")?.focus();
    };
    box.addEventListener("keydown", pressed);
    return () => box.removeEventListener("keydown", pressed);
  }, []);
  return grid;
}
