/** A question over the screen: it holds the focus, Esc goes back and never decides. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../i18n/common";
import { moved } from "./radios";

const FOCUSABLE = "a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex='0']";

function held(box: HTMLElement, event: KeyboardEvent): void {
  const stops = [...box.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const first = stops[0];
  const last = stops.at(-1);
  if (first === undefined || last === undefined) return;
  const at = document.activeElement;
  const leaves = event.shiftKey ? at === first || !stops.includes(at as HTMLElement) : at === last;
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
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    title.current?.focus();
    return () => before?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    moved(event);
    if (event.key === "Escape") props.onBack();
    if (event.key === "Tab" && box.current !== null) held(box.current, event);
  };
  return (
    <div class="scrim" onKeyDown={onKeyDown}>
      <div class={props.wide ? "dlg wide" : "dlg"} role="dialog" aria-modal="true" aria-labelledby="dlg-title" ref={box}>
        <div>
          {props.above}
          <h2 id="dlg-title" tabIndex={-1} ref={title}>
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
