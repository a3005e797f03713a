/** The screens, in the order of the navigation and of their number keys. */
import type { ComponentType } from "preact";
import type { IconName } from "../pieces/icons.js";
import { Activity } from "./activity/activity.js";
import { Clock } from "./clock/clock.js";
import { Conduct } from "./conduct/conduct.js";
import { Held } from "./held/held.js";
import { Inbox } from "./inbox/inbox.js";
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
  { id: "rules", name: "Rules", icon: "rules", Show: Rules },
  { id: "scenarios", name: "Scenarios", icon: "scenarios", Show: Scenarios },
  { id: "clock", name: "Clock", icon: "clock", Show: Clock },
  { id: "reference", name: "Reference", icon: "docs", Show: Reference },
];

/** Screens outside the navigation: the badge of held items leads to one, the list of activities to the other. */
export const otherScreens: readonly Screen[] = [
  { id: "held", name: "Held", icon: "pause", Show: Held },
  { id: "conduct", name: "Conduct", icon: "check", Show: Conduct },
];
