/** A part of a report: a list that is read on the page, on paper and in a file. */
import type { VNode } from "preact";
import { type Column, Listing } from "../../parts/Listing";
import type { Cell } from "./csv";

export interface ReportColumn<Row> extends Column<Row> {
  file: (row: Row) => Cell;
}

export interface Section {
  shown: VNode;
  rows: Cell[][];
}

export function section<Row>(props: {
  title: string;
  note?: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  none: string;
  marked?: (row: Row) => boolean;
  sums?: (row: Row) => boolean;
}): Section {
  const { title, note, columns, rows, keyOf, none, marked, sums } = props;
  return {
    shown: (
      <section key={title} class="pan" aria-label={title}>
        <header>
          <h3>{title}</h3>
          {note !== undefined && <span class="end xs muted">{note}</span>}
        </header>
        <Listing label={title} columns={columns} rows={rows} keyOf={keyOf} none={none} {...(marked && { marked })} {...(sums && { sums })} />
      </section>
    ),
    rows: [note === undefined ? [title] : [title, note], columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ file }) => file(row)))],
  };
}

/** What the file is of, and the rows of its sections, an empty line between them. */
export const fileOf = (of: readonly Cell[], sections: readonly Section[]): Cell[][] => [[...of], ...sections.flatMap(({ rows }) => [[], ...rows])];
