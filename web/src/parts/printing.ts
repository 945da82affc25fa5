/** Print one part of a page alone: a copy of it is on the paper, and nothing else. */
export function printAlone(part: Element): void {
  for (const before of document.querySelectorAll("body > .paper")) before.remove();
  const paper = document.createElement("div");
  paper.className = "paper";
  paper.append(part.cloneNode(true));
  document.body.append(paper);
  addEventListener("afterprint", () => paper.remove(), { once: true });
  window.print();
}
