/**
 * What somebody opens beside the felt. A sheet that asks has a brass edge and no cross: it is
 * answered, not closed.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../i18n/common";
import { Icon } from "./Icon";
import { dialogOpen, useHeldFocus } from "./layers";

export function Sheet(props: {
  title: string;
  /** What stands under the title, small. */
  sub?: string;
  children: ComponentChildren;
  foot?: ComponentChildren;
  onClose?: () => void;
  asks?: boolean;
}) {
  const box = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useHeldFocus(box);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    // A sheet that comes, or goes, under a dialog leaves the focus where it is.
    if (!dialogOpen()) title.current?.focus();
    return () => {
      if (!dialogOpen()) before?.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || props.onClose === undefined) return;
    event.stopPropagation();
    props.onClose();
  };
  return (
    <section class={props.asks ? "sheet asks" : "sheet"} aria-label={props.title} tabIndex={-1} ref={box} onKeyDown={onKeyDown}>
      <header>
        <div class="grow">
          <h2 tabIndex={-1} ref={title}>
            {props.title}
          </h2>
          {props.sub !== undefined && <p>{props.sub}</p>}
        </div>
        {props.onClose !== undefined && (
          <button class="iconbtn" aria-label={say("close")} onClick={props.onClose}>
            <Icon name="clear" />
          </button>
        )}
      </header>
      <div class="body">{props.children}</div>
      {props.foot !== undefined && <footer>{props.foot}</footer>}
    </section>
  );
}
