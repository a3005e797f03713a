/** The screens, in the order of the navigation and of their number keys. */
import type { ComponentType } from "preact";
import type { IconName } from "../pieces/icons.js";
import { ActivityScreen } from "./activity/activity.js";
import { ClockScreen } from "./clock/clock.js";
import { ConductScreen } from "./conduct/conduct.js";
import { HeldScreen } from "./held/held.js";
import { InboxScreen } from "./inbox/inbox.js";
import { MoneyScreen } from "./money/money.js";
import { RecordsScreen } from "./records/records.js";
import { ReferenceScreen } from "./reference/index.js";
import { RulesScreen } from "./rules/rules.js";
import { ScenariosScreen } from "./scenarios/scenarios.js";
import { WebhooksScreen } from "./webhooks/webhooks.js";

export interface Screen {
  /** First part of its address. */
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly Show: ComponentType;
}

export const screens: readonly Screen[] = [
  { id: "activity", name: "Activity", icon: "activity", Show: ActivityScreen },
  { id: "inbox", name: "Inbox", icon: "inbox", Show: InboxScreen },
  { id: "webhooks", name: "Webhooks", icon: "webhooks", Show: WebhooksScreen },
  { id: "records", name: "Records", icon: "records", Show: RecordsScreen },
  { id: "money", name: "Money", icon: "money", Show: MoneyScreen },
  { id: "rules", name: "Rules", icon: "rules", Show: RulesScreen },
  { id: "scenarios", name: "Scenarios", icon: "scenarios", Show: ScenariosScreen },
  { id: "clock", name: "Clock", icon: "clock", Show: ClockScreen },
  { id: "reference", name: "Reference", icon: "docs", Show: ReferenceScreen },
];

/** Screens outside the navigation: the badge of held items leads to one, the list of activities to the other. */
export const otherScreens: readonly Screen[] = [
  { id: "held", name: "Held", icon: "pause", Show: HeldScreen },
  { id: "conduct", name: "Conduct", icon: "check", Show: ConductScreen },
];
