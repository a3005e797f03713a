/** Writes a page about several accounts: a picture of what happened on each, with the findings. */
import type { ActivityEntry } from "../../client/account/types.js";
import { Html, html } from "../../documents/html.js";
import { formatShape, formatSvg, listStory } from "../../documents/story/picture.js";
import { tell } from "../../documents/story/story.js";
import type { CommandClient } from "../connection.js";

/** Maximum number of activities of an account that are drawn. */
export const maxDrawn = 1_000;

export interface ToldStory {
  title: string;
  /** Description of the story, in the words of the scenario. */
  text?: string;
  /** Texts above the picture, and whether each is good news. */
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

const formatStory = ({ title, text, notes, activities }: ToldStory): Html => {
  const lines = notes.map(
    ({ text, isGood }) =>
      html`<li class="${isGood ? "good" : "bad"}">${isGood ? "passed" : "failed"}: ${text}</li>`,
  );
  return html`<article>
<h2>${title}</h2>
${text ? html`<p>${text}</p>\n` : ""}${lines.length === 0 ? html`` : html`<ol>${lines}</ol>`}
${formatPicture(title, activities)}
</article>
`;
};

/** Formats stories one below the other. */
export const formatStories = (stories: readonly ToldStory[]): Html => html`${stories.map(formatStory)}`;

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
