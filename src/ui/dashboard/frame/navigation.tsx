/** The navigation: all screens by group at the side, and on a narrow screen the groups below and the screens of one above. */
import { Icon } from "../pieces/icons.js";
import { Tabs } from "../pieces/tabs.js";
import { numberedScreens, type Screen, type ScreenGroup, screenGroups } from "../screens/index.js";
import { isHelpOpen } from "../state/keyboard.js";
import { href } from "../state/route.js";

const keyOf = (screen: Screen): string => {
  const place = numberedScreens.indexOf(screen);
  return place === -1 ? "" : ` (${place + 1})`;
};

const isOf = ({ screens }: ScreenGroup, screen: Screen): boolean => screens.includes(screen);

/** Lists all screens by group. A group of one screen needs no heading. */
export const Navigation = ({ current }: { current: Screen }) => (
  <nav class="nav" aria-label="Screens">
    {screenGroups.map((group) => (
      <div key={group.name} class="nav-group">
        {group.screens.length > 1 && <p>{group.name}</p>}
        <ul aria-label={group.name}>
          {group.screens.map((screen) => (
            <li key={screen.id}>
              <a
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
      class="nav-keys"
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
  const group = screenGroups.find((one) => isOf(one, current));
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
