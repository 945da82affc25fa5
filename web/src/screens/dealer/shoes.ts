/** The name of the next shoe: one more than the last, and none that was there. */
export function nextShoe(last: string | null, taken: readonly string[]): string {
  const numbers = [last, ...taken].map((name) => (name !== null && /^\d+$/.test(name) ? Number(name) : 0));
  let next = Math.max(0, ...numbers) + 1;
  while (taken.includes(String(next))) next += 1;
  return String(next);
}
