import { Icon } from "../pieces/icons.js";
import { dismiss, toasts } from "../state/toasts.js";

export const Toasts = () => (
  <div class="toasts" aria-live="polite">
    {toasts.value.map(({ id, text, isError }) => (
      <div key={id} class={`toast ${isError ? "bad" : ""}`} role={isError ? "alert" : undefined}>
        <p>{text}</p>
        <button type="button" class="button plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
