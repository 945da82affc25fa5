/** A table of rows that becomes blocks of label and value on phones. */
import type { ComponentChildren } from "preact";
import { useScrolls } from "./useScrolls";

export interface Column<Row> {
  name: string;
  cell: (row: Row) => ComponentChildren;
  /** Words stand left, figures right. */
  words?: boolean;
  wraps?: boolean;
}

export function Listing<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** What stands there when there is no row. */
  none: string;
  /** Rows that need eyes. */
  marked?: (row: Row) => boolean;
  /** The row in which the others are added up. */
  sums?: (row: Row) => boolean;
}) {
  const [box, scrolls] = useScrolls(props.rows.length === 0);
  if (props.rows.length === 0) return <p class="none muted sm">{props.none}</p>;
  return (
    <div ref={box} class="tblbox" {...(scrolls && { tabIndex: 0, role: "group", "aria-label": props.label })}>
      <table class="tbl rf" aria-label={props.label}>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.name} scope="col" class={[column.words ? "l" : "", column.wraps ? "wrapc" : ""].filter(Boolean).join(" ")}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)} class={[props.marked?.(row) ? "now" : "", props.sums?.(row) ? "sum" : ""].filter(Boolean).join(" ")}>
              {props.columns.map((column) => {
                const value = column.cell(row);
                const empty = value === "" || value === null || value === undefined;
                const classes = [column.words ? "l" : "", column.wraps ? "wrapc" : "", empty ? "nil" : ""];
                return (
                  <td key={column.name} class={classes.filter(Boolean).join(" ")} data-l={column.name}>
                    <span>{empty ? "–" : value}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
