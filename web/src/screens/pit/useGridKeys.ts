/** Arrows move between the tiles of the floor, by their places. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Direction, nearest } from "./nearest";

const ARROWS: Record<string, Direction> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

export function useGridKeys(): RefObject<HTMLDivElement | null> {
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const direction = ARROWS[event.key];
      const box = grid.current;
      const tile = (event.target as HTMLElement).closest<HTMLElement>(".tt");
      if (direction === undefined || tile === null || box === null) return;
      const tiles = [...box.querySelectorAll<HTMLElement>(".tt")];
      const at = nearest(
        tiles.map((one) => one.getBoundingClientRect()),
        tiles.indexOf(tile),
        direction,
      );
      if (at === null) return;
      event.preventDefault();
      tiles[at]?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return grid;
}
