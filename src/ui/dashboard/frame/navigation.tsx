/** The navigation: all screens by group at the side or, on a narrow screen, the groups below and the screens of the open group above. */
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../pieces/icons.js";
import { Tabs } from "../pieces/layout.js";
import { numberedScreens, type Screen, type ScreenGroup, screenGroups } from "../screens/index.js";
import { isHelpOpen } from "../state/keyboard.js";
import { href } from "../state/route.js";

const keyOf = (screen: Screen): string => {
  const place = numberedScreens.indexOf(screen);
  return place === -1 ? "" : ` (${place + 1})`;
};

const isOf = ({ screens }: ScreenGroup, screen: Screen): boolean => screens.includes(screen);

/** Lists all screens by group. A group with a single screen needs no heading. */
export const Navigation = ({ current }: { current: Screen }) => (
  <nav class="nav" aria-label="Screens">
    {screenGroups.map((group) => (
      <div key={group.name}>
        {group.screens.length > 1 && <p>{group.name}</p>}
        <ul aria-label={group.name}>
          {group.screens.map((screen) => (
            <li key={screen.id}>
              <a
                class="item"
                href={href([screen.id])}
                aria-current={screen === current ? "page" : undefined}
                title={screen.name + keyOf(screen)}
              >
                <Icon name={screen.icon} />
                <span>{screen.name}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
    <button
      type="button"
      class="item nav-keys"
      onClick={() => {
        isHelpOpen.value = true;
      }}
    >
      <kbd>?</kbd>
      <span>Keys</span>
    </button>
  </nav>
);

/** Links to the first screen of each group. */
export const GroupBar = ({ current }: { current: Screen }) => (
  <nav class="group-bar" aria-label="Groups of screens">
    {screenGroups.map((group) => (
      <a
        key={group.name}
        href={href([group.screens[0]?.id ?? ""])}
        aria-current={isOf(group, current) ? "true" : undefined}
      >
        <Icon name={group.icon} />
        <span>{group.name}</span>
      </a>
    ))}
  </nav>
);

/** Links to the screens of the open group, if it has several. */
export function GroupTabs({ current }: { current: Screen }) {
  const group = screenGroups.find((candidate) => isOf(candidate, current));
  if (!group || group.screens.length < 2) return null;
  return (
    <div class="group-tabs">
      <Tabs
        label={group.name}
        tabs={group.screens.map((screen) => [screen.name, href([screen.id]), screen === current])}
      />
    </div>
  );
}

const keys = [
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open the row"],
  ["Esc", "Back to the list"],
  ["/", "Filter"],
  ["?", "Show these keys"],
] as const;

/** The list of keyboard shortcuts, in a dialog that `?` opens. */
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
      <dl class="facts">
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
