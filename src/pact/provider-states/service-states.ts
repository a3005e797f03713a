/** Interface: real-time sessions, audits, domains, messaging channels, webhooks; and what stands over all of them. */
import * as Type from "typebox";
import { isServiceOperation } from "../../contract/operation.js";
import { ChatNumber } from "../../contract/schemas.js";
import { toRule } from "../../rules/rule-input.js";
import { addRule } from "../../rules/rules.js";
import { runAction } from "../../scenarios/given.js";
import { firstOf, type Setting, some, state, type Values } from "./define-state.js";

const only =
  (section: string, field: string, name = field) =>
  (setting: Setting): Values => ({ [name]: firstOf(setting, section, field) });

const room = { room_name: Type.String(), identity: Type.String() };
const url = { url: Type.String({ examples: ["https://shop.example.com"] }) };
const domain = { domain: Type.String({ examples: ["shop.example.com"] }) };
const label = { label: Type.String() };
const to = { to: ChatNumber };

const sessionValues = { session_id: "The session's id", room_name: "The room" };
const session = (setting: Setting): Values => ({
  session_id: firstOf(setting, "sessions", "session_id"),
  room_name: firstOf(setting, "sessions", "room_name"),
});
const auditValues = { id: "The audit's id" };
const domainValues = { domain_id: "The verification's id", domain: "The domain", token: "Of the proof" };
const domainOf = (setting: Setting): Values => ({
  domain_id: firstOf(setting, "domains", "id"),
  domain: firstOf(setting, "domains", "domain"),
  token: firstOf(setting, "domains", "token"),
});
const channelValues = { channel_id: "The channel's id" };
const channelId = (setting: Setting) => ({ channel_id: firstOf(setting, "channels", "id") });

export const serviceStates = [
  state("an active real-time session", {
    description: "Somebody is in a room",
    params: room,
    values: sessionValues,
    given: (params) => ({ sessions: [some(params)] }),
    finish: session,
  }),
  state("a completed real-time session", {
    description: "A session has ended and is billed",
    params: { ...room, minutes: Type.Number({ minimum: 0 }) },
    values: sessionValues,
    given: ({ minutes = 12, ...params }) => ({ sessions: [{ ...some(params), completed: { minutes } }] }),
    finish: session,
  }),

  state("a ready audit", {
    description: "An audit has its report",
    params: { ...url, tier: Type.Enum(["deep", "standard"]) },
    values: auditValues,
    given: ({ tier = "deep", ...params }) =>
      tier === "deep" ? { audits: [{ ...some(params), ready: true }] } : {},
    async finish(setting, { tier = "deep", url: asked = "https://shop.example.com" }): Promise<Values> {
      if (tier === "deep") return { id: firstOf(setting, "audits", "id") };
      const made = await runAction(setting.account, setting.stage, "createAudit", { url: asked });
      return { id: (made as { id: string }).id };
    },
  }),
  state("a pending deep audit", {
    description: "A deep audit works in the background",
    params: url,
    values: auditValues,
    given: (params) => ({ audits: [some(params)] }),
    finish: only("audits", "id"),
  }),
  state("a failed deep audit", {
    description: "A deep audit could not be finished; its cost came back",
    params: url,
    values: auditValues,
    given: (params) => ({ audits: [{ ...some(params), failed: true }] }),
    finish: only("audits", "id"),
  }),

  state("a pending domain", {
    description: "A domain waits for its proof",
    params: domain,
    values: domainValues,
    given: (params) => ({ domains: [some(params)] }),
    finish: domainOf,
  }),
  state("a published domain proof", {
    description: "The TXT record of a pending domain is there: its next check succeeds",
    params: domain,
    values: domainValues,
    given: (params) => ({ domains: [some(params)] }),
    async finish(setting) {
      const values = domainOf(setting);
      const { account, stage } = setting;
      await runAction(account, stage, "publishDomainProof", { domain: values.domain, method: "dns_txt" });
      return values;
    },
  }),
  state("a verified domain", {
    description: "A domain's proof was found",
    params: domain,
    values: domainValues,
    given: (params) => ({ domains: [{ ...some(params), verified: true }] }),
    finish: domainOf,
  }),

  state("a disconnected channel", {
    description: "A channel to which no number is linked",
    params: label,
    values: channelValues,
    given: (params) => ({ channels: [some(params)] }),
    finish: channelId,
  }),
  state("a connected channel", {
    description: "A channel with a linked number",
    params: label,
    values: channelValues,
    given: (params) => ({ channels: [{ ...some(params), connected: true }] }),
    finish: channelId,
  }),
  state("an open message window", {
    description: "A person has just written to a connected channel and may be answered",
    params: to,
    values: { ...channelValues, to: "The person's number" },
    given: () => ({ channels: [{ connected: true }] }),
    async finish(setting, { to: from = "2348031234567" }) {
      const channel_id = firstOf(setting, "channels", "id");
      await runAction(setting.account, setting.stage, "replyAsPerson", { channel_id, from, text: "Hello" });
      return { channel_id, to: from };
    },
  }),
  state("a pending channel code", {
    description: "A code was sent by message and waits to be checked",
    params: to,
    values: { ...channelValues, id: "The code's id", to: "The person's number", code: "The code" },
    // The state decides, and not what a test number asks for.
    given: (params) => ({ channel_codes: [{ ...some(params), outcome: "sent" }] }),
    finish(setting): Values {
      const number = firstOf(setting, "channel_codes", "to");
      const code = setting.account.inbox.list({ to: number })[0]?.codes[0] ?? "";
      const ids = { ...channelId(setting), id: firstOf(setting, "channel_codes", "id") };
      return { ...ids, to: number, code };
    },
  }),
  state("an open identity question", {
    description: "A person was asked and has not answered",
    params: { ...to, question: Type.String(), expected: Type.String(), reference: Type.String() },
    values: { ...channelValues, id: "The check's id" },
    given: (params) => ({ identity_checks: [some(params)] }),
    finish: (setting): Values => ({ ...channelId(setting), id: firstOf(setting, "identity_checks", "id") }),
  }),
  state("an answered identity question", {
    description: "The person has given the expected answer",
    params: to,
    values: { ...channelValues, id: "The check's id" },
    given: (params) => ({ identity_checks: [{ ...some(params), expected: "Ngozi" }] }),
    async finish(setting) {
      const ids = { ...channelId(setting), id: firstOf(setting, "identity_checks", "id") };
      const from = firstOf(setting, "identity_checks", "to");
      const reply = { channel_id: ids.channel_id, from, text: "Ngozi" };
      await runAction(setting.account, setting.stage, "replyAsPerson", reply);
      return ids;
    },
  }),

  state("a registered webhook", {
    description: "An endpoint that gets every event",
    params: { url: Type.String(), events: Type.Array(Type.String()) },
    values: { id: "The endpoint's id", secret: "Key of X-Service-Signature" },
    given: ({ url: address = "https://shop.example.com/webhooks", events }) => ({
      webhooks: [some({ url: address, events })],
    }),
    finish: (setting): Values => ({
      id: firstOf(setting, "webhooks", "id"),
      secret: firstOf(setting, "webhooks", "secret"),
    }),
  }),
  state("an outcome", {
    description: "Requests of an operation get one of its outcomes",
    params: {
      operation: Type.String({ examples: ["verifyBvn"] }),
      outcome: Type.String({ examples: ["provider_unavailable"] }),
    },
    finish({ account, stage }, { operation, outcome }): Values {
      if (!operation || !outcome) throw new Error(missing({ operation, outcome }));
      const made = toRule({ on: operation, outcome }, stage.operations.filter(isServiceOperation));
      if ("problem" in made) throw new Error(made.problem.message);
      addRule(account, made.fields);
      return {};
    },
  }),
];

function missing(needed: Readonly<Record<string, string | undefined>>): string {
  const names = Object.keys(needed).filter((name) => !needed[name]);
  const example = JSON.stringify({ operation: "verifyBvn", outcome: "not_found" });
  return `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} needed, such as ${example}`;
}
