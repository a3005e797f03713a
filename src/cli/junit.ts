/** Results as JUnit XML, the form that CI services read. */

export interface JunitCase {
  group: string;
  name: string;
  seconds: number;
  failure?: string;
  skipped?: string;
  /** Said beside a case that passed. */
  output?: string;
}

/** What XML 1.0 cannot hold, not even escaped. */
const unwritable = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

const escaped = (text: string): string =>
  text.replaceAll(unwritable, "\ufffd").replaceAll(/[&<>"\t\n\r]/g, (mark) => marks[mark] ?? mark);

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join("");

function inside({ failure, skipped, output }: JunitCase): string {
  if (failure !== undefined) return `<failure${attributes({ message: failure })}/>`;
  if (skipped !== undefined) return `<skipped${attributes({ message: skipped })}/>`;
  return output === undefined ? "" : `<system-out>${escaped(output)}</system-out>`;
}

const written = (one: JunitCase): string =>
  `    <testcase${attributes({ classname: one.group, name: one.name, time: one.seconds })}>${inside(one)}</testcase>`;

export function junit(name: string, cases: readonly JunitCase[]): string {
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
    `  <testsuite${attributes(totals)}>`,
    ...cases.map(written),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
