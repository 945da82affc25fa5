/** A link to another screen of this house: an ordinary one, that needs no new page. */
import type { ComponentChildren } from "preact";
import { go } from "../app/router";

export function Link(props: { to: string; class?: string; label?: string; current?: boolean; children: ComponentChildren }) {
  const follow = (event: MouseEvent): void => {
    // Whoever asks for a new tab or window gets one.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(props.to);
  };
  return (
    <a href={props.to} class={props.class} aria-label={props.label} aria-current={props.current ? "page" : undefined} onClick={follow}>
      {props.children}
    </a>
  );
}
