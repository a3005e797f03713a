/** Interface: "Messaging identity check": the record, its states and transitions, the answers, and its two operations. */

import { scryptSync, timingSafeEqual } from "node:crypto";
import * as Type from "typebox";
import { refuse } from "../../contract/errors.js";
import { exactly, id, NullableTimestamp, nullable, Timestamp } from "../../contract/schemas.js";
import type { Random } from "../../time/random.js";
import { minute } from "../../time/time.js";
import type { Account } from "../../world/account/account.js";
import type { RecordIn } from "../../world/records/machine.js";
import { expireIfDue } from "../account-records.js";
import { fold } from "../fold.js";
import { inputField, machine, record } from "../machine.js";
import { ChatNumber } from "../numbers.js";
import { operation } from "../operation.js";
import {
  ChannelParams,
  channel,
  chatWith,
  maxTextLength,
  requireChannel,
  requireConnectedChannel,
  saveChat,
  To,
} from "./channels.js";

const question = {
  id: id("idq_", { "x-assumption": "ids" }),
  kind: Type.Literal("identity"),
};
const attempts = Type.Integer({ minimum: 0, maximum: 5, description: "Number of answers so far" });

export const StartedIdentityCheck = exactly({
  ...question,
  to: To,
  status: Type.Literal("pending"),
  attempts,
  expires_at: Timestamp,
});

export const IdentityCheck = exactly({
  ...question,
  status: Type.Enum(["pending", "verified", "failed", "expired"]),
  attempts,
  resolved_at: NullableTimestamp,
});

// Normalises, hashes and compares answers to identity questions.

/** Interface: "The expected answer of an identity check is stored only as a one-way hash." */
export interface HashedAnswer {
  salt: string;
  /** Hash in hex. */
  hash: string;
  /** Whether diacritics are ignored: switch `folded` of assumption identity.defaults when the question was asked. */
  folded: boolean;
}

/** Matches everything except letters, marks and digits. Unicode classes some apostrophes as letters. */
const ignored = /[^\p{L}\p{M}\p{N}]|[ʹʻʼˈ]/gu;

/**
 * Normalises an answer: removes spaces, punctuation and differences of case; assumption identity.answers. Comparing in
 * capitals makes ß equal to ss, ς to σ, and İ, I, ı and i equal, as the language of the text is unknown. Lower case
 * first handles ẞ and İ.
 */
function normaliseAnswer(answer: string, folded: boolean): string {
  const letters = answer.normalize("NFC").replace(ignored, "");
  const capitals = letters.toLowerCase().toUpperCase().replaceAll("I\u0307", "I");
  // Upper-casing can add an apostrophe (ŉ) and combining marks (ΐ).
  const plain = capitals.replace(ignored, "").normalize("NFC");
  return folded ? fold(plain) : plain;
}

const hashBytes = 32;

/** Cost of hashing: slow enough to deter guessing, and fast enough (a few ms) for a request. */
const scryptOptions = { N: 1024, r: 8, p: 1 };

const scryptHash = (answer: string, { salt, folded }: Omit<HashedAnswer, "hash">): Buffer =>
  scryptSync(normaliseAnswer(answer, folded), salt, hashBytes, scryptOptions);

/** Hashes the expected answer for storage. */
function hashAnswer(expected: string, folded: boolean, random: Random): HashedAnswer {
  const salt = random.letters(32);
  return { salt, hash: scryptHash(expected, { salt, folded }).toString("hex"), folded };
}

/** Returns whether the answer is the expected one. Compares in constant time. */
function isExpected(answer: string, expected: HashedAnswer): boolean {
  const known = Buffer.from(expected.hash, "hex");
  const given = scryptHash(answer, expected);
  return known.length === given.length && timingSafeEqual(known, given);
}

// Interface: "Messaging identity check" in States and transitions; assumption identity.defaults.

/** A check as the control API shows it. */
const StoredIdentityCheck = exactly({
  ...IdentityCheck.properties,
  to: To,
  channel_id: Type.String(),
  max_attempts: Type.Integer(),
  reference: nullable(Type.String()),
  expires_at: Timestamp,
});

export const identityCheckRecord = record(StoredIdentityCheck, {
  hidden: {
    expected: Type.Unsafe<HashedAnswer>(Type.Object({})),
    /** Id of the previous question to this person on this channel; assumption identity.several. */
    previous: nullable(Type.String()),
  },
});
export type IdentityCheckRecord = RecordIn<typeof identityCheckRecord>;

/** Reads the `text` of an answer. */
function readAnswer(input: unknown): string {
  const text = inputField(input, "text");
  if (typeof text === "string" && text !== "") return text;
  return refuse("validation_error", { param: "text", message: "text must be the person's answer." });
}

/** Returns the state that an answer leads to. */
function judgeAnswer(record: IdentityCheckRecord, text: string, { clock }: Account) {
  if (clock.now() >= record.expires_at) return "expired";
  if (isExpected(text, record.expected)) return "verified";
  return record.attempts + 1 >= record.max_attempts ? "failed" : "pending";
}

function countAnswer(record: IdentityCheckRecord, account: Account): void {
  if (record.state !== "expired") record.attempts++;
  if (record.state !== "pending") resolve(record, account);
}

function resolve(record: IdentityCheckRecord, account: Account): void {
  record.resolved_at = Math.min(account.clock.now(), record.expires_at);
}

function describeAnswer({ to, state, attempts, max_attempts }: IdentityCheckRecord): string {
  if (state === "verified") return `+${to} answered the identity question correctly.`;
  if (state === "expired") return `+${to} answered the identity question too late.`;
  const tries = `answer ${attempts} of ${max_attempts}`;
  return `+${to} answered the identity question wrongly (${tries})${state === "failed" ? ", and the check failed" : ""}.`;
}

/**
 * Returns the event of a check that has ended (interface: "A verification event is sent to the connected website when
 * the check ends").
 */
function verificationEvent(record: IdentityCheckRecord, account: Account) {
  const website = account.records.get(channel, record.channel_id)?.website ?? null;
  if (website === null || record.state === "pending") return null;
  const { id, kind, to, status, attempts, reference, resolved_at } = identityCheckRecord.view(record);
  const data = { id, kind, status, to, attempts, reference, resolved_at };
  return { data, alsoTo: { id: record.channel_id, url: website } };
}

export const identityCheck = machine(identityCheckRecord, {
  name: "identity_check",
  prefix: "idq_",
  moves: {
    ask: { from: "new", to: "pending", says: ({ to }) => `An identity question was sent to +${to}.` },
    answer: {
      from: "pending",
      to: IdentityCheck.properties.status.enum,
      input: readAnswer,
      next: judgeAnswer,
      effect: countAnswer,
      emits: "verification",
      says: describeAnswer,
    },
    expire: {
      from: "pending",
      to: "expired",
      at: ({ expires_at }) => expires_at,
      due: ({ to }) => `The identity question to +${to} expires.`,
      effect: resolve,
      emits: "verification",
      says: ({ to }) => `The identity question to +${to} expired without the right answer.`,
    },
  },
  event: verificationEvent,
});

const assumed = { "x-assumption": "identity.defaults" };

/** Default lifetime of a question in minutes; assumption identity.defaults. */
export const defaultQuestionTtlMinutes = 60;
const defaultMaxAttempts = 3;

export const startIdentityCheck = operation({
  id: "startIdentityCheck",
  route: "POST /v1/wa/channels/{channel_id}/verify-identity",
  summary: "Ask a person an identity question",
  description:
    "Answers are compared ignoring capital letters, spaces and punctuation; the expected answer is stored only as a " +
    "one-way hash. A verification event is sent when the check ends if a website is connected to the number.",
  auth: "key",
  plan: "growth",
  params: ChannelParams,
  body: Type.Object({
    to: ChatNumber,
    question: Type.String({
      minLength: 1,
      maxLength: maxTextLength,
      examples: ["What is your mother's maiden name?"],
    }),
    // Unbounded: the refusal of a longer answer would quote it.
    expected: Type.String({ minLength: 1, description: "The expected answer", examples: ["Okafor"] }),
    reference: Type.Optional(Type.String()),
    ttl_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_080, default: defaultQuestionTtlMinutes, ...assumed }),
    ),
    max_attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, default: defaultMaxAttempts, ...assumed }),
    ),
  }),
  reply: { 201: StartedIdentityCheck },
  refuses: ["validation_error", "resource_not_found", "channel_not_connected"],
  emits: identityCheck.events,
  assumptions: [
    "identity.answers",
    "identity.several",
    "channels.window",
    "channels.default",
    "channels.sizes",
  ],

  handle({ account, assumptions, params, body, refuse }) {
    const { to, question, expected, reference = null } = body;
    const { ttl_minutes = defaultQuestionTtlMinutes, max_attempts = defaultMaxAttempts } = body;
    const folded = assumptions["identity.defaults"] === "folded";
    if (normaliseAnswer(expected, folded) === "") {
      const message = "expected must contain more than spaces and punctuation, which are ignored.";
      refuse("validation_error", { param: "expected", message });
    }
    const { id: channel_id } = requireConnectedChannel(account, params.channel_id);
    const chat = chatWith(account, channel_id, to);
    const check = account.records.start(identityCheck, "ask", {
      channel_id,
      to,
      expected: hashAnswer(expected, folded, account.random),
      reference,
      attempts: 0,
      max_attempts,
      expires_at: account.clock.now() + ttl_minutes * minute,
      resolved_at: null,
      previous: chat.question_id,
    });
    saveChat(account, channel_id, to, { ...chat, question_id: check.id });
    account.inbox.send({ channel: "chat", to, from: channel_id, text: question, codes: [] });
    const { id, kind, attempts, expires_at } = identityCheck.view(check);
    return { id, kind, to, status: check.state, attempts, expires_at };
  },
});

export const getIdentityCheck = operation({
  id: "getIdentityCheck",
  route: "GET /v1/wa/channels/{channel_id}/verify-identity/{verification_id}",
  summary: "Get the result of an identity question",
  description: "The expected answer and the answers are not returned.",
  auth: "key",
  params: Type.Object({
    ...ChannelParams.properties,
    verification_id: Type.String({ description: "Id of the identity check" }),
  }),
  reply: { 200: IdentityCheck },
  refuses: ["resource_not_found"],
  assumptions: ["identity.defaults", "channels.default"],

  handle({ account, params, refuse }) {
    const { id } = requireChannel(account, params.channel_id);
    const check = account.records.get(identityCheck, params.verification_id);
    if (check?.channel_id !== id) {
      const message = `There is no identity check ${JSON.stringify(params.verification_id.slice(0, 60))} on ${id}; use the id returned by POST /v1/wa/channels/${id}/verify-identity.`;
      return refuse("resource_not_found", { param: "verification_id", message });
    }
    const current = identityCheck.view(expireIfDue(account, identityCheck, check));
    const { kind, status, attempts, resolved_at } = current;
    return { id: current.id, kind, status, attempts, resolved_at };
  },
});
