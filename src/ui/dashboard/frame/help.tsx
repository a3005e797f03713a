/** The list of keyboard shortcuts, in a dialog that `?` opens. */
import { useEffect, useRef } from "preact/hooks";
import { numberedScreens } from "../screens/index.js";
import { isHelpOpen } from "../state/keyboard.js";

const keys = [
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["Esc", "Back to the list"],
  ["/", "Filter"],
  ["?", "Show these keys"],
] as const;

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  const rows = [...keys, ...numberedScreens.map(({ name }, index) => [String(index + 1), name] as const)];
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => {
        isHelpOpen.value = false;
      }}
    >
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
