/** Writes one page about several accounts: a picture of what happened on each, with the findings. */
import type { ActivityEntry } from "../../client/account/types.js";
import { Html, html } from "../../documents/html.js";
import { listStory, stepListStyle } from "../../documents/story/step-list.js";
import { tell } from "../../documents/story/story.js";
import { formatShape, formatSvg } from "../../documents/story/svg.js";
import type { CommandClient } from "../connection.js";

/** Maximum number of activities of an account that are drawn. */
export const maxDrawn = 1_000;

export interface ToldStory {
  title: string;
  /** Texts above the picture, each with whether it is good news. */
  notes: readonly { text: string; isGood: boolean }[];
  /** Newest first, as the control API lists them. */
  activities: readonly ActivityEntry[];
}

/** Formats activities, newest first, as a picture, which is a list of steps on a narrow screen and on paper. */
export function formatPicture(title: string, activities: readonly ActivityEntry[]): Html {
  if (activities.length === 0) return html`<p>Nothing has happened on the account.</p>`;
  const story = tell(activities.toReversed());
  const picture = new Html(formatSvg(story, title));
  return html`<div class="picture" role="region" aria-label="${`Picture of ${title}`}" tabindex="0">${picture}${formatShape(listStory(story))}</div>`;
}

const formatStory = ({ title, notes, activities }: ToldStory): Html => {
  const lines = notes.map(
    ({ text, isGood }) =>
      html`<li class="${isGood ? "good" : "bad"}">${isGood ? "passed" : "failed"}: ${text}</li>`,
  );
  return html`<article>
<h2>${title}</h2>
${lines.length === 0 ? html`` : html`<ol>${lines}</ol>`}
${formatPicture(title, activities)}
</article>
`;
};

/** Formats a page of stories. `text` is shown as it is above them. */
export const formatStoryPage = (title: string, text: string, stories: readonly ToldStory[]): string =>
  formatReportPage(
    title,
    html`<h1>${title}</h1>
<pre>${text}</pre>
${stories.map(formatStory)}`,
  );

/** Returns the story of each account that was used, the last used first. Default: of all accounts. */
export async function readStories(
  api: CommandClient,
  isWanted: (account: string) => boolean = () => true,
): Promise<ToldStory[]> {
  const { value: accounts } = await api.call("listAccounts");
  const stories: ToldStory[] = [];
  for (const { id, label, name } of accounts.items.filter(({ id }) => isWanted(id))) {
    const listed = await api.call("listActivity", {
      query: { limit: maxDrawn },
      headers: { "X-Sandbox-Account": id },
    });
    const { items } = listed.value;
    if (items.length > 0) stories.push({ title: label ?? name ?? id, notes: [], activities: items });
  }
  return stories;
}

const style = `
:root { color-scheme: light dark; --ink: #1c2333; --soft: #545b6b; --paper: #fff; --line: #d5d9de; --code: #f4f5f7; --good: #146c2e; --wait: #7d4f00; --bad: #b3261e; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #ece9e3; --soft: #aab1c0; --paper: #14171f; --line: #3b4046; --code: #24282d; --good: #7ddc92; --wait: #f0c46c; --bad: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; } h1, h2, h3, li, dd, p { overflow-wrap: anywhere; }
.grade { font-size: 1.2rem; font-weight: 600; } .bad { color: var(--bad); } .good { color: var(--good); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
article { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; margin: 1rem 0; break-inside: avoid; }
pre, code { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
.picture { overflow-x: auto; } .picture svg { display: block; }
pre { background: var(--code); padding: .75rem; white-space: pre-wrap; border-radius: 6px; }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
@media (max-width: 30rem) { body { padding: 1rem .75rem; } th, td { padding-right: .5rem; font-size: .875rem; } article { padding: .75rem; } ol, ul { padding-left: 1.25rem; } }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  article { border: 0; padding: 0; break-inside: auto; }
  h2, h3, tr, li { break-inside: avoid; break-after: auto; } h2, h3 { break-after: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
${stepListStyle}`;

/** Formats a page with the content of its body. */
export const formatReportPage = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}</main>
</body>
</html>
`.text;
