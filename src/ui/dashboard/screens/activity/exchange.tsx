/** A request and its reply as they were, with secrets redacted. */
import type { ComponentChildren } from "preact";
import type { ActivityEntry, RequestEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Copy } from "../../pieces/button.js";
import { Json } from "../../pieces/code.js";
import { Section } from "../../pieces/layout.js";
import { useResource } from "../../state/resource.js";
import { href } from "../../state/route.js";
import { baseUrl, serviceKey } from "../../state/session.js";

/** Headers that change what a request does. Others come from the client that sent it. */
const meaningful = /^(?:content-type|authorization|idempotency-key|x-sandbox-(?!account|admin).*)$/i;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Formats a request of the journal as a curl command; what was redacted has to be filled in. */
function formatCurl({ method, path, headers, body }: RequestEntry, key: string | null): string {
  const sent = Object.entries(headers).filter(([name]) => meaningful.test(name));
  if (!headers.Authorization) sent.unshift(["X-Service-Key", key ?? "YOUR_KEY"]);
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quote(baseUrl + path)}`,
    ...sent.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quote(body)}`] : []),
  ].join(" \\\n  ");
}

/** Shows `children` between what can be done with the request and its bodies. Other activities have neither. */
export function Exchange({ activity, children }: { activity: ActivityEntry; children: ComponentChildren }) {
  const { id, kind } = activity;
  const read = useResource(
    () => (kind === "request" ? call("getRequest", { params: { id } }) : Promise.resolve(null)),
    [id, activity.call?.status],
  );
  const entry = read.data.value;
  return (
    <>
      {entry && <ExchangeActions activity={activity} entry={entry} />}
      {children}
      {entry?.body && (
        <Section title="Request">
          <Json value={entry.body} label="Request body" />
        </Section>
      )}
      {entry?.reply && (
        <Section title="Reply">
          <Json value={entry.reply} label="Reply body" />
        </Section>
      )}
    </>
  );
}

function ExchangeActions({ activity, entry }: { activity: ActivityEntry; entry: RequestEntry }) {
  const { operation } = activity.refs;
  const outcome = activity.call?.outcome ?? activity.call?.error_code;
  return (
    <div class="actions">
      <Copy text={formatCurl(entry, serviceKey.value)} label="Copy as curl" hasEdge />
      {operation && (
        <>
          <a class="button" href={href(["rules", "new"], { on: operation, outcome })}>
            Save as rule
          </a>
          <a class="button" href={href(["activity", "try", operation], { from: entry.id })}>
            Try again
          </a>
        </>
      )}
    </div>
  );
}
