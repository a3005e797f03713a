import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "Events". */
export const webhookRows = [
  {
    id: "webhooks.endpoint",
    question: "What are the request and the reply of POST /v1/webhooks?",
    default: facts(
      'Request: `{url, events?, description?}`, where `url` is an http or https URL and `events` is `["*"]` by default.',
      'Reply: `{id:"whe_…",url,events,description,secret,status:"enabled",is_test,created_at}`.',
      "Registering a URL again updates that endpoint and returns it with 200.",
    ),
    reason:
      "An endpoint needs a URL, a choice of events and a secret, and a client that starts twice registers twice.",
  },
  {
    id: "webhooks.payload",
    question: "What do the payloads contain that the interface does not show?",
    default: facts(
      '`{id:"evt_…",event,created_at,is_test,data}`, where `data` is the resource.',
      "verification.completed has exactly `event`, `job_id` (the `ver_` id), `created_at` and `data`.",
      "Assumption verification.payload describes its `data`.",
    ),
    reason:
      "The documented payload has an event name, a time and data; receivers need an id to detect duplicates.",
    switch: {
      default: "extended",
      alternatives: {
        bare: "`{event,created_at,data}`, the fields of the documented payload; verification.completed is unchanged",
      },
    },
  },
  {
    id: "webhooks.bytes",
    question: "How is the JSON of a payload written?",
    default: 'With spaces between its parts: `{ "event": "payout.paid", … }`.',
    reason:
      "The signature covers the raw body, and the interface does not say how it is written. A receiver that verifies a body which it has parsed and serialised again fails here instead of in production.",
    switch: {
      default: "spaced",
      alternatives: { compact: "without spaces, as `JSON.stringify` writes it" },
    },
  },
  {
    id: "webhooks.headers",
    question: "Which headers does a delivery have in addition to the signature?",
    default: "None besides the documented `X-Service-Signature`.",
    reason: "A receiver that relies on a header which the service does not send would fail in production.",
    switch: {
      default: "documented",
      alternatives: { extended: "adds `X-Service-Event`, `X-Service-Delivery` and `X-Service-Attempt`" },
    },
  },
  {
    id: "webhooks.secret",
    question: "Where does the webhook secret come from?",
    default: facts(
      "Each account has one secret with the prefix `whsec_`; all its endpoints share it, and every registration returns it.",
      "The HMAC key is the literal string, prefix included.",
    ),
    reason: "The interface mentions the webhook secret in the singular.",
    switch: {
      default: "account",
      alternatives: {
        endpoint:
          "each registered endpoint has its own secret, which its registration returns; deliveries to the website of a channel are signed with the account's",
      },
    },
  },
  {
    id: "webhooks.delivery",
    question: "How long does a delivery wait for its endpoint, and which replies are a success?",
    default: facts(
      "The timeout is 10 seconds; only 2xx is a success; redirects are not followed.",
      "The body is fixed when the event occurs; every attempt sends the same bytes.",
    ),
    reason:
      "The retry rule says 2xx, the signature covers the raw body, and 10 s is a common webhook timeout.",
  },
] as const satisfies readonly Assumption[];
