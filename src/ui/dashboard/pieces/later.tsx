/** A component that is loaded when it is first shown. */
import { type Signal, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { notifyError } from "../state/toasts.js";

/** Returns a component that loads another one and shows it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded: Signal<ComponentType<Props> | null> = signal(null);
  return function Later(props) {
    useEffect(() => {
      load().then((component) => {
        loaded.value = component;
      }, notifyError);
    }, []);
    const Show = loaded.value;
    return Show ? <Show {...props} /> : <p class="loading" aria-busy="true" />;
  };
}
