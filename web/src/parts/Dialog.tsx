/** A question over the screen: it owns the keyboard, Esc goes back and never decides. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { say } from "../i18n/common";
import { useHeldFocus, useLayer } from "./layers";
import { moved } from "./radios";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex='0']";

/** Tab goes from the last control to the first, and from outside of a dialog into it. */
function held(box: HTMLElement, event: KeyboardEvent): void {
  const stops = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = stops[0];
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return event.preventDefault();
  const at = document.activeElement;
  const leaves = event.shiftKey ? at === first || !stops.includes(at as HTMLElement) : at === last || !box.contains(at);
  if (!leaves) return;
  event.preventDefault();
  (event.shiftKey ? last : first).focus();
}

export function Dialog(props: {
  title: string;
  onBack: () => void;
  children: ComponentChildren;
  /** What stands above the title, small. */
  above?: ComponentChildren;
  foot?: ComponentChildren;
  wide?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    moved(event);
    if (event.key === "Escape") props.onBack();
    if (event.key === "Tab" && box.current !== null) held(box.current, event);
  };
  useLayer(box, onKeyDown);
  useHeldFocus(box);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    title.current?.focus();
    return () => before?.focus();
  }, []);
  return (
    <div class="scrim" onKeyDown={onKeyDown}>
      <div class={props.wide ? "dlg wide" : "dlg"} role="dialog" aria-modal="true" aria-labelledby={id} tabIndex={-1} ref={box}>
        <div>
          {props.above}
          <h2 id={id} tabIndex={-1} ref={title}>
            {props.title}
          </h2>
          {props.children}
        </div>
        {props.foot !== undefined && <div class="dfoot">{props.foot}</div>}
      </div>
    </div>
  );
}

/** What is only read: one button closes it. */
export function Reading(props: { title: string; onBack: () => void; children: ComponentChildren }) {
  const foot = (
    <>
      <span class="sp" />
      <button class="btn" onClick={props.onBack}>
        {say("close")}
      </button>
    </>
  );
  return (
    <Dialog title={props.title} onBack={props.onBack} foot={foot}>
      {props.children}
    </Dialog>
  );
}
