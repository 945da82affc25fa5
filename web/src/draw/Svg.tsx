import type { Drawing } from "./svg.ts";

interface Props {
  of: Drawing;
  /** In place of the drawing's own name; empty where words beside it say the same. */
  label?: string | undefined;
  class?: string | undefined;
}

/** Shows a drawing: an image with a name, or decoration that screen readers pass over. */
export function Svg({ of, label = of.label, class: more }: Props) {
  const name = label ? ({ role: "img", "aria-label": label } as const) : ({ "aria-hidden": "true" } as const);
  return (
    <svg
      class={more ? `${of.kind} ${more}` : of.kind}
      viewBox={`0 0 ${of.width} ${of.height}`}
      {...name}
      dangerouslySetInnerHTML={{ __html: of.body }}
    />
  );
}
