/** A delivery: each attempt with the exact bytes that were sent, their signature, and the answer. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { DeliveryEntry } from "../../../../client/account/types.js";
import { call } from "../../api/control.js";
import { Action } from "../../pieces/button.js";
import { Code, Json } from "../../pieces/code.js";
import { formatDay, formatTime } from "../../pieces/format.js";
import { Detail, FactList, Loaded, Section, Tag, type Tone } from "../../pieces/layout.js";
import { notify } from "../../pieces/toasts.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere } from "../../state/route.js";

export const deliveryTones = { succeeded: "good", pending: "wait", failed: "bad" } as const satisfies Record<
  DeliveryEntry["status"],
  Tone
>;

type Attempt = DeliveryEntry["attempts"][number];

export function DeliveryDetail({ id }: { id: string }) {
  /** Number of the attempt that the Retry button has requested. */
  const awaited = useRef<number | null>(null);
  const read = useResource(
    () => call("getDelivery", { params: { id } }),
    [id],
    ({ refs }) => refs.delivery === id,
  );
  return (
    <Loaded of={read}>
      {(delivery) => (
        <Detail
          title={
            <>
              {delivery.says} <span class="soft mono">{delivery.event}</span>
            </>
          }
          back={hrefHere()}
          actions={
            <Action
              look="primary"
              run={async () => {
                awaited.current = delivery.attempts.length + 1;
                await call("retryDelivery", { params: { id } });
                notify("The delivery is being sent again.");
                await read.reload();
              }}
            >
              Retry
            </Action>
          }
        >
          <FactList
            rows={[
              ["Status", <Tag tone={deliveryTones[delivery.status]}>{delivery.status}</Tag>],
              ["To", <span class="mono">{delivery.url}</span>],
              [
                "Next attempt",
                delivery.next_attempt_at &&
                  `${formatTime(delivery.next_attempt_at)} UTC, ${formatDay(delivery.next_attempt_at)}`,
              ],
              [
                "Event",
                <a href={href(["webhooks", delivery.event_id], { show: "events" })}>{delivery.event_id}</a>,
              ],
              ["Delivery", <code>{delivery.id}</code>],
              ["Changed by", delivery.rule && <a href={href(["rules", delivery.rule])}>{delivery.rule}</a>],
              ["Why", <a href={href(["activity", delivery.id])}>Cause and effect</a>],
            ]}
          />
          {delivery.attempts.map((attempt, index) => (
            <AttemptSection
              key={index}
              endpoint={delivery.endpoint_id}
              attempt={attempt}
              number={index + 1}
              isNewest={index === delivery.attempts.length - 1}
              isAwaited={index + 1 === awaited.current}
            />
          ))}
          {delivery.attempts.length === 0 && <p class="soft">Nothing has been sent yet.</p>}
        </Detail>
      )}
    </Loaded>
  );
}

interface AttemptSectionProps {
  /** Id of the endpoint. */
  endpoint: string;
  attempt: Attempt;
  number: number;
  /** Whether the attempt is initially open. Later attempts come below it and do not close it, since somebody may read it. */
  isNewest: boolean;
  /** Whether the page scrolls to the attempt when it arrives. */
  isAwaited: boolean;
}

const AttemptSection = ({ endpoint, attempt, number, isNewest, isAwaited }: AttemptSectionProps) => {
  const element = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isNewest && element.current) element.current.open = true;
    if (isAwaited) element.current?.scrollIntoView();
  }, []);
  return (
    <details class="attempt" ref={element}>
      <summary>
        <span class="line">
          <b>Attempt {number}</b>
          <time>{formatTime(attempt.at)}</time>
          <span class="soft count">{Math.round(attempt.duration_ms)} ms</span>
          <Tag tone={attempt.status !== null && attempt.status < 300 ? "good" : "bad"}>
            {attempt.status ?? "no answer"}
          </Tag>
        </span>
      </summary>
      {attempt.error && <p class="problem">{attempt.error}</p>}
      <Section title="Signature">
        <Signature endpoint={endpoint} attempt={attempt} />
      </Section>
      <Section title="Sent: headers">
        <Code text={formatHeaders(attempt.request_headers)} label="Headers that were sent" />
      </Section>
      <Section title="Sent: body, byte for byte">
        <Code text={attempt.request_body} label="Body that was sent" />
      </Section>
      <Section title="The same, with line breaks">
        <Json value={attempt.request_body} label="Body that was sent, with line breaks" />
      </Section>
      {attempt.status !== null && (
        <Section title="Response">
          <Code
            text={`${attempt.status}\n${formatHeaders(attempt.response_headers)}${attempt.response_body ? `\n\n${attempt.response_body}` : ""}`}
            label="Response"
          />
        </Section>
      )}
    </details>
  );
};

const formatHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** Shows the signed bytes, the secret, and whether the signature equals the header that was sent. */
function Signature({ endpoint, attempt }: { endpoint: string; attempt: Attempt }) {
  const check = useSignal<SignatureCheck | null>(null);
  useEffect(() => {
    checkSignature(endpoint, attempt.request_headers, attempt.request_body).then((done) => {
      check.value = done;
    });
  }, [endpoint, attempt.request_body, attempt.request_headers]);
  const done = check.value;
  if (!done) return <p class="loading" aria-busy="true" />;
  return (
    <>
      <p>
        <Tag tone={done.isGenuine === null ? "over" : done.isGenuine ? "good" : "bad"}>
          {done.isGenuine === null ? "not checked" : done.isGenuine ? "genuine" : "wrong"}
        </Tag>{" "}
        <span class="soft">{done.text}</span>
      </p>
      <FactList
        rows={[
          [
            "Signed",
            `the ${new TextEncoder().encode(attempt.request_body).length} bytes of the body, HMAC-SHA256, in hex`,
          ],
          ["Secret", <code>{done.secret}</code>],
          ["Sent", <code>{done.sent ?? "no X-Service-Signature"}</code>],
          ["Expected", done.expected && <code>{done.expected}</code>],
        ]}
      />
    </>
  );
}

interface SignatureCheck {
  /** Null where the browser cannot compute signatures. */
  isGenuine: boolean | null;
  text: string;
  secret: string;
  sent: string | null;
  expected: string | null;
}

/** Checks the signature of an attempt as a receiver should, in the browser. */
async function checkSignature(
  endpointId: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<SignatureCheck> {
  const secret = await secretOf(endpointId);
  const sent = headers["X-Service-Signature"] ?? null;
  // Browsers only offer it on this machine and over HTTPS.
  if (!crypto.subtle) {
    return {
      isGenuine: null,
      text: "This browser computes signatures over HTTPS only.",
      secret,
      sent,
      expected: null,
    };
  }
  const expected = await sign(body, secret);
  if (sent === null)
    return { isGenuine: false, text: "It was sent without a signature.", secret, sent, expected };
  const isGenuine = sent === expected;
  const text = isGenuine
    ? "A receiver that computes the signature gets the same."
    : "A receiver that computes the signature gets another, and must refuse the delivery.";
  return { isGenuine, text, secret, sent, expected };
}

/** Returns the secret of an endpoint, or the secret of the account if the endpoint is unknown or was removed. */
async function secretOf(endpointId: string): Promise<string> {
  const { items } = await call("listWebhooks");
  return items.find(({ id }) => id === endpointId)?.secret ?? (await call("getAccount")).webhook_secret;
}

async function sign(body: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(body)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
