import { describe, expect, it } from "vitest";
import { csvOf, sum } from "./csv";

describe("a list as a file", () => {
  it("quotes what has commas, quotes or lines", () => {
    expect(csvOf([["a,b", 'say "x"', "two\nlines"]])).toBe('"a,b","say ""x""","two\nlines"\r\n');
  });

  it("keeps figures as figures, below zero too", () => {
    expect(csvOf([[sum(-12_50), sum(100_000_00), 3, null]])).toBe("-12.50,100000.00,3,\r\n");
  });

  it("hands no formula to a spreadsheet", () => {
    expect(csvOf([["=1+1", "@sum", "-cmd", "+1"]])).toBe("'=1+1,'@sum,'-cmd,'+1\r\n");
  });
});
