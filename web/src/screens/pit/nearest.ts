/** Which of several boxes is next to one in a direction. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Direction = "left" | "right" | "up" | "down";

/** The index of the nearest box that lies in the direction; null: there is none. */
export function nearest(boxes: readonly Box[], from: number, direction: Direction): number | null {
  const here = boxes[from];
  if (here === undefined) return null;
  const across = direction === "left" || direction === "right";
  const sign = direction === "right" || direction === "down" ? 1 : -1;
  let best: { index: number; distance: number } | null = null;
  boxes.forEach((box, index) => {
    const x = box.left + box.width / 2 - (here.left + here.width / 2);
    const y = box.top + box.height / 2 - (here.top + here.height / 2);
    const along = sign * (across ? x : y);
    if (index === from || along < 1) return;
    // A box of the same row or column comes before one that is nearer and beside.
    const distance = along + 10 * Math.abs(across ? y : x);
    if (best === null || distance < best.distance) best = { index, distance };
  });
  return (best as { index: number } | null)?.index ?? null;
}
