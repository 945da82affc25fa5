import { expect, test } from "vitest";
import { follow, troubled } from "../src/api/live";
import type { Problem } from "../src/api/types";

test("that one table is not there says nothing of the next", () => {
  const [, leave] = follow("table:nowhere");
  troubled.value = { code: "unknown_table" } as Problem;
  leave();
  const [, leaveNext] = follow("table:tiger");
  expect(troubled.value).toBeNull();
  leaveNext();
});
