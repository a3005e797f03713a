/** The reply to a request that was tried, with a link to what the request caused. */
import { useEffect, useMemo } from "preact/hooks";
import { toneOf } from "../../../../documents/story/story.js";
import { Json } from "../../pieces/code.js";
import { FactList, Section, Tag } from "../../pieces/layout.js";
import { href } from "../../state/route.js";
import type { TryReply } from "./send.js";

export function Reply({ reply, isActivity }: { reply: TryReply; isActivity: boolean }) {
  const { status, requestId, duration, headers, text, body } = reply;
  return (
    <Section title="Reply">
      <p class="actions" role="status">
        <Tag tone={toneOf(status)}>{status}</Tag>
        <span class="soft">{Math.round(duration)} ms</span>
        {requestId && isActivity && <a href={href(["activity", requestId])}>What it caused</a>}
      </p>
      {text === null ? (
        <File body={body} headers={headers} />
      ) : (
        text && <Json value={text} label="Reply body" />
      )}
      <details>
        <summary>Headers</summary>
        <FactList rows={headers} />
      </details>
    </Section>
  );
}

/** A body that is no text: shown if it is a picture, and to be saved. */
function File({ body, headers }: Pick<TryReply, "body" | "headers">) {
  const url = useMemo(() => URL.createObjectURL(body), [body]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const disposition = headers.find(([name]) => name === "content-disposition")?.[1] ?? "";
  const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? "reply";
  return (
    <>
      {body.type.startsWith("image/") && <img class="reply-picture" src={url} alt="The reply" />}
      <p>
        {body.type}, {body.size.toLocaleString("en")} bytes{" "}
        <a href={url} download={name}>
          Save
        </a>
      </p>
    </>
  );
}
