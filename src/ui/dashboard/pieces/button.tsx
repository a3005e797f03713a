/** Buttons for actions, and for copying. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Icon } from "./icons.js";
import { notifyError } from "./toasts.js";

interface ActionProps {
  /** Action of the button, which is busy while it runs. An error is shown as a toast. */
  run(): Promise<unknown> | unknown;
  /** `primary` for the main action of a screen, `plain` for a button without an edge. */
  look?: "primary" | "plain" | "danger" | undefined;
  disabled?: boolean;
  /** Whether Enter in a field of the form presses the button. Required fields have to be filled in first. */
  submits?: boolean;
  /** Name for screen readers, where the content does not say it. */
  label?: string;
  title?: string;
  children: ComponentChildren;
}

export function Action({ run, look, disabled, submits = false, label, title, children }: ActionProps) {
  const isBusy = useSignal(false);
  const act = async (event: MouseEvent) => {
    event.preventDefault();
    const { form } = event.currentTarget as HTMLButtonElement;
    if (isBusy.value || (submits && form && !form.reportValidity())) return;
    isBusy.value = true;
    try {
      await run();
    } catch (error) {
      notifyError(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <button
      type={submits ? "submit" : "button"}
      class={`button ${look ?? ""}`}
      onClick={act}
      disabled={disabled}
      aria-busy={isBusy.value}
      aria-label={label}
      title={title}
    >
      {children}
    </button>
  );
}

const confirmedMs = 1_500;

interface CopyProps {
  text: string | (() => string);
  /** Default "Copy". */
  label?: string;
  /** Whether the button has an edge. */
  hasEdge?: boolean;
}

/** Copies a text and confirms it. */
export function Copy({ text, label = "Copy", hasEdge = false }: CopyProps) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await copyText(typeof text === "string" ? text : text());
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, confirmedMs);
  };
  return (
    <Action run={copy} look={hasEdge ? undefined : "plain"}>
      <Icon name={isCopied.value ? "check" : "copy"} />
      <span aria-live="polite">{isCopied.value ? "Copied" : label}</span>
    </Action>
  );
}

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain HTTP to another host, browsers offer no other clipboard.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("This browser does not allow the page to copy. Select the text instead.");
}
