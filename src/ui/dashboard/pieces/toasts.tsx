/** Short messages at the edge of the screen about actions and errors. */
import { signal } from "@preact/signals";
import { Icon } from "./icons.js";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

const maxErrors = 2;
/** Minimum time that a message is shown, in ms. */
const shownMs = 4_000;
/** Time to read a character, in ms. */
const shownMsPerCharacter = 60;
let count = 0;

export const toasts = signal<readonly Toast[]>([]);

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Shows a message for a few seconds, in place of the one before it. */
export function notify(text: string): void {
  const { id } = add(text, false);
  setTimeout(() => dismiss(id), Math.max(shownMs, text.length * shownMsPerCharacter));
}

/** Shows the message of an error until it is dismissed. */
export function notifyError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  if (!toasts.value.some((toast) => toast.isError && toast.text === text)) add(text, true);
}

function add(text: string, isError: boolean): Toast {
  const toast = { id: ++count, text, isError };
  const errors = toasts.value.filter((toast) => toast.isError);
  toasts.value = [...errors.slice(isError ? 1 - maxErrors : -maxErrors), toast];
  return toast;
}

export const Toasts = () => (
  <div class="toasts" aria-live="polite">
    {toasts.value.map(({ id, text, isError }) => (
      <div key={id} class={`toast ${isError ? "bad" : "good"}`} role={isError ? "alert" : undefined}>
        <p>{text}</p>
        <button type="button" class="button plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
