/** The screens, in the order of the navigation and of their number keys. */
import type { ComponentType } from "preact";
import type { IconName } from "../pieces/icons.js";
import { later } from "../pieces/later.js";
import { Activity } from "./activity/activity.js";
import { Clock } from "./clock/clock.js";
import { Conduct } from "./conduct/conduct.js";
import { Held } from "./held/held.js";
import { Inbox } from "./inbox/inbox.js";
import { Money } from "./money/money.js";
import { Records } from "./records/records.js";
import { Reference } from "./reference/index.js";
import { Rules } from "./rules/rules.js";
import { Scenarios } from "./scenarios/scenarios.js";
import { Webhooks } from "./webhooks/webhooks.js";

export interface Screen {
  /** First part of its address. */
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly Show: ComponentType;
}

export const screens: readonly Screen[] = [
  { id: "activity", name: "Activity", icon: "activity", Show: Activity },
  { id: "inbox", name: "Inbox", icon: "inbox", Show: Inbox },
  { id: "webhooks", name: "Webhooks", icon: "webhooks", Show: Webhooks },
  { id: "records", name: "Records", icon: "records", Show: Records },
  { id: "money", name: "Money", icon: "money", Show: Money },
  { id: "rules", name: "Rules", icon: "rules", Show: Rules },
  { id: "scenarios", name: "Scenarios", icon: "scenarios", Show: Scenarios },
  { id: "clock", name: "Clock", icon: "clock", Show: Clock },
  { id: "reference", name: "Reference", icon: "docs", Show: Reference },
];

const Story = later(async () => (await import("./story/story.js")).default);

/** Screens outside the navigation: the badge of held items leads to one, the list of activities to the others. */
export const otherScreens: readonly Screen[] = [
  { id: "held", name: "Held", icon: "pause", Show: Held },
  { id: "story", name: "Story", icon: "story", Show: Story },
  { id: "conduct", name: "Conduct", icon: "check", Show: Conduct },
];
