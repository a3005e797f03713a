/** Reports of checks: their options, and JUnit XML for CI services. */
import type { Command } from "commander";
import { escapeMarkup } from "../../contract/escape-markup.js";
import { writeOutputFile } from "./write-file.js";

export interface ReportFlags {
  json?: true;
  junit?: string;
}

export const withReportOptions = (command: Command): Command =>
  command
    .optionsGroup("Output:")
    .option("--json", "print the report as one JSON document")
    .option("--junit <file>", "also write the report as JUnit XML");

export interface JunitCase {
  group: string;
  name: string;
  seconds: number;
  failure?: string;
  skipped?: string;
  /** Output of a case that passed. */
  output?: string;
}

/** A parser turns whitespace of attributes into spaces unless it is escaped. */
const escapeXml = (text: string): string =>
  escapeMarkup(text).replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

const formatAttributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");

function formatResult({ failure, skipped, output }: JunitCase): string {
  if (failure !== undefined) return `<failure${formatAttributes({ message: failure })}/>`;
  if (skipped !== undefined) return `<skipped${formatAttributes({ message: skipped })}/>`;
  return output === undefined ? "" : `<system-out>${escapeXml(output)}</system-out>`;
}

const formatCase = (one: JunitCase): string =>
  `    <testcase${formatAttributes({ classname: one.group, name: one.name, time: one.seconds })}>${formatResult(one)}</testcase>`;

export function formatJunit(name: string, cases: readonly JunitCase[]): string {
  const totals = {
    name,
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    time: Math.round(cases.reduce((sum, { seconds }) => sum + seconds, 0) * 1000) / 1000,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${formatAttributes(totals)}>`,
    ...cases.map(formatCase),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

export async function writeJunit(
  { junit }: ReportFlags,
  name: string,
  cases: readonly JunitCase[],
): Promise<void> {
  if (junit !== undefined) await writeOutputFile("the report", junit, formatJunit(name, cases));
}
