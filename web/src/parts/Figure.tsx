/**
 * A figure that is typed. What is no figure is said where it stands and told as NaN, with which
 * nothing can be sent; what comes from elsewhere in between, such as another game's usual limits,
 * is shown at once.
 */
import "./figure.css";
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { say } from "../i18n/common";
import { KINDS } from "./figures";

interface FigureProps {
  kind: keyof typeof KINDS;
  /** NaN: what was typed is no figure; null: there is none. */
  value: number | null;
  onValue: (value: number | null) => void;
  /** Nothing at all may stand there. */
  optional?: boolean;
  changed?: boolean;
  bad?: boolean;
  label?: string;
  note?: string | undefined;
  placeholder?: string;
  readOnly?: boolean;
}

export function Figure({ kind, value, onValue, optional = false, changed = false, bad = false, label, note, placeholder, readOnly = false }: FigureProps) {
  const { read, show, keys, wrong } = KINDS[kind];
  const typing = useSignal<string | null>(null);
  const left = useSignal("");
  const sentence = useId();
  const isWrong = Number.isNaN(value);
  const told = value === null ? "" : isWrong ? left.value : show(value);
  const leave = (text: string): void => {
    if (typing.peek() === null) return;
    typing.value = null;
    left.value = text;
    onValue(optional && text.trim() === "" ? null : (read(text) ?? Number.NaN));
  };
  const described = [isWrong ? sentence : "", note ?? ""].filter(Boolean).join(" ");
  return (
    <>
      <input
        class={["in num", changed && !isWrong && "chgd", (bad || isWrong) && "bad"].filter(Boolean).join(" ")}
        inputMode={keys}
        aria-label={label}
        aria-invalid={bad || isWrong}
        aria-describedby={described || undefined}
        placeholder={placeholder}
        readOnly={readOnly}
        value={typing.value ?? told}
        onInput={(e) => void (typing.value = e.currentTarget.value)}
        onChange={(e) => leave(e.currentTarget.value)}
        onBlur={(e) => leave(e.currentTarget.value)}
      />
      {isWrong && (
        <span class="err figurewrong" id={sentence}>
          {say(wrong)}
        </span>
      )}
    </>
  );
}
