import { type Assumption, facts } from "./assumption.js";

/** Interface: "Events". */
export const webhookRows = [
  {
    id: "webhooks.endpoint",
    question: "What does POST /v1/webhooks take and answer?",
    default: facts(
      'Takes `{url, events?, description?}`; `events` is `["*"]` by default; http and https.',
      'Answers `{id:"whe_…",url,events,description,secret,status:"enabled",is_test,created_at}`.',
      "Registering the same URL again updates and returns that endpoint with 200.",
    ),
    reason:
      "An endpoint needs a URL, a choice of events and a secret, and a client that starts twice registers twice.",
  },
  {
    id: "webhooks.payload",
    question: "What do the payloads hold whose shape is not shown?",
    default: facts(
      '`{id:"evt_…",event,created_at,is_test,data}`, data mirroring the resource.',
      "verification.completed has exactly event, job_id (the `ver_` id), created_at and data.",
      "Its data for an address: type, status, checks as booleans, extracted.",
    ),
    reason:
      "The documented payload has an event name, a time and data, and a receiver needs an id to drop duplicates.",
    switch: {
      default: "extended",
      alternatives: {
        bare: "`{event,created_at,data}`, what the documented payload has too; verification.completed stays as it is",
      },
    },
  },
  {
    id: "webhooks.headers",
    question: "Which headers does a delivery carry beside the signature?",
    default: "None beyond the documented `X-Service-Signature`.",
    reason: "A receiver that relies on a header which the service does not send would fail there.",
    switch: {
      default: "documented",
      alternatives: { extended: "adds `X-Service-Event`, `X-Service-Delivery` and `X-Service-Attempt`" },
    },
  },
  {
    id: "webhooks.secret",
    question: "Where does the webhook secret come from?",
    default: facts(
      "Each account has one, starting with `whsec_`, the same for all its endpoints and returned by each registration.",
      "The literal string is the HMAC key.",
    ),
    reason: "The interface speaks of the webhook secret in the singular.",
  },
  {
    id: "webhooks.delivery",
    question: "How long does a delivery wait for its endpoint, and what counts as an answer?",
    default: facts(
      "10 seconds; only a 2xx is success; redirects are not followed.",
      "The body is fixed when the event happens; every attempt sends the same bytes.",
    ),
    reason:
      "The retry rule says 2xx, the signature covers the raw body, and 10 s is a common time-out for webhooks.",
  },
] as const satisfies readonly Assumption[];
