/** `standin explain`: prints the causes and effects of an activity. */
import { type Command, Option } from "commander";
import { formatExplanation } from "../../client/account/format.js";
import { formatMermaid, toStory } from "../../documents/story/story.js";
import { formatSvg } from "../../documents/story/svg.js";
import { topCommand } from "../command-list.js";
import { type ConnectionFlags, connect, printReply, withConnection } from "../connection.js";
import { print } from "../output/print.js";

const notes = `The line marked > is the activity itself. Its causes are above it, its effects below. The sandbox keeps
the last 1,000 requests of an account and their effects, until it stops.
--svg and --mermaid draw the whole story from its root on as a sequence diagram.`;

interface Flags extends ConnectionFlags {
  svg?: true;
  mermaid?: true;
}

export const explainCommand = (): Command =>
  withConnection(
    topCommand(
      "explain",
      [
        "standin explain req_4ag161h9000003",
        "standin explain evt_wvnggn0pgw671xj2fzxx",
        "standin explain req_4ag161h9000003 --svg > story.svg",
      ],
      notes,
    )
      .argument("<id>", "id of a request, event, delivery, message, record or activity")
      .addOption(
        new Option("--svg", "print a picture: a sequence diagram in SVG").conflicts(["mermaid", "json"]),
      )
      .addOption(
        new Option("--mermaid", "print a sequence diagram in Mermaid, for documents").conflicts("json"),
      ),
  ).action(explain);

async function explain(id: string, flags: Flags): Promise<void> {
  const explaining = connect(flags).call("explainActivity", { params: { id } });
  if (flags.svg) print(formatSvg(toStory((await explaining).value), `Story of ${id}`));
  else if (flags.mermaid) print(formatMermaid(toStory((await explaining).value)));
  else printReply(flags, await explaining, formatExplanation);
}
