/** The API reference, which is loaded when it is first opened. */
import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { notifyError } from "../../state/toasts.js";

const loaded: Signal<ComponentType | null> = signal(null);

export function Reference() {
  useEffect(() => {
    import("./reference.js").then(({ OperationReference }) => {
      loaded.value = OperationReference;
    }, notifyError);
  }, []);
  const Show = loaded.value;
  return Show ? <Show /> : <p class="loading" aria-busy="true" />;
}
