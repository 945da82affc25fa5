/** Lists as a file that any spreadsheet reads: plain figures, moments as on the wire. */
export type Cell = string | number | null;

/** Cents as a figure with a point; a spreadsheet adds it up. */
export const sum = (cents: number | null): Cell => (cents === null ? null : (cents / 100).toFixed(2));

/** No spreadsheet takes what somebody wrote for a formula. */
const plain = (text: string): string => (/^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text);

function cellOf(cell: Cell): string {
  const text = cell === null ? "" : plain(String(cell));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");

/** Hand a file to whoever asked for it. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  // Spreadsheets take a file for UTF-8 by this mark alone.
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
