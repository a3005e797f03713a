/** The screens in their groups, in the order of the navigation. */
import type { ComponentType } from "preact";
import type { IconName } from "../pieces/icons.js";
import { later } from "../pieces/layout.js";
import { ActivityScreen } from "./activity/activity.js";
import { AssumptionsScreen } from "./assumptions/assumptions.js";
import { ClockScreen } from "./clock/clock.js";
import { ConductScreen } from "./conduct/conduct.js";
import { CoverageScreen } from "./coverage/coverage.js";
import { ExamScreen } from "./exam/exam.js";
import { HeldScreen } from "./held/held.js";
import { InboxScreen } from "./inbox/inbox.js";
import { MoneyScreen } from "./money/money.js";
import { RecordsScreen } from "./records/records.js";

import { RulesScreen } from "./rules/rules.js";
import { ScenariosScreen } from "./scenarios/scenarios.js";
import { WebhooksScreen } from "./webhooks/webhooks.js";

const ReferenceScreen = later(async () => (await import("./reference/reference.js")).OperationReference);

export interface Screen {
  /** First part of the address of the screen. */
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly Show: ComponentType;
}

export interface ScreenGroup {
  readonly name: string;
  /** Icon of the group on a narrow screen, where each group is a single entry. */
  readonly icon: IconName;
  readonly screens: readonly Screen[];
}

export const screenGroups: readonly ScreenGroup[] = [
  {
    name: "Happening",
    icon: "activity",
    screens: [
      { id: "activity", name: "Activity", icon: "activity", Show: ActivityScreen },
      { id: "inbox", name: "Inbox", icon: "inbox", Show: InboxScreen },
      { id: "webhooks", name: "Webhooks", icon: "webhooks", Show: WebhooksScreen },
      { id: "held", name: "Held", icon: "pause", Show: HeldScreen },
    ],
  },
  {
    name: "State",
    icon: "records",
    screens: [
      { id: "records", name: "Records", icon: "records", Show: RecordsScreen },
      { id: "money", name: "Money", icon: "money", Show: MoneyScreen },
      { id: "clock", name: "Clock", icon: "clock", Show: ClockScreen },
    ],
  },
  {
    name: "Steering",
    icon: "rules",
    screens: [
      { id: "rules", name: "Rules", icon: "rules", Show: RulesScreen },
      { id: "scenarios", name: "Scenarios", icon: "scenarios", Show: ScenariosScreen },
    ],
  },
  {
    name: "Tests",
    icon: "check",
    screens: [
      { id: "coverage", name: "Coverage", icon: "coverage", Show: CoverageScreen },
      { id: "conduct", name: "Conduct", icon: "check", Show: ConductScreen },
      { id: "exam", name: "Exam", icon: "exam", Show: ExamScreen },
      { id: "assumptions", name: "Assumptions", icon: "question", Show: AssumptionsScreen },
    ],
  },
  {
    name: "Reference",
    icon: "docs",
    screens: [{ id: "reference", name: "Reference", icon: "docs", Show: ReferenceScreen }],
  },
];

export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);

/** The screens with a number key, from 1 on. */
export const numberedScreens: readonly Screen[] = screens.slice(0, 9);
