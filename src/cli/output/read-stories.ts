/** Reads what happened on the accounts of a sandbox, to be drawn. */
import type { CommandClient } from "../command-client.js";
import { maxDrawn, type ToldStory } from "./story-page.js";

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
