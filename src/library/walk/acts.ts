/** What each kind of step does, over the service's API and the control API. */
import type { StepKind, StepOf } from "../../scenarios/steps.js";
import type { SandboxAccount } from "../account.js";
import { callService } from "./call.js";
import { StepFailure } from "./failure.js";
import { openReceiver, type ScenarioReceiver } from "./receiver.js";
import { awaitWebhook } from "./webhook.js";

/** A walk under way. */
export interface Walk {
  account: SandboxAccount;
  readFixture(name: string): Promise<Uint8Array>;
  /** What steps may refer to. */
  scope: Record<string, unknown>;
  /** Ids of the events that earlier steps have seen. */
  seen: Set<string>;
  receivers: ScenarioReceiver[];
}

export interface Acted {
  /** What the expectation is held against, */
  actual: unknown;
  /** and what later steps find under the step's name; absent: the same. */
  captured?: unknown;
  /** Of an act that has compared by itself. */
  problems?: string[];
}

/** Where what came is not as expected. */
export type Judge = (actual: unknown) => string[];

type Act<K extends StepKind> = (walk: Walk, step: StepOf<K>, judge: Judge) => Promise<Acted>;

const act = async (acting: Promise<unknown>): Promise<Acted> => ({ actual: await acting });

export const acts: { [K in StepKind]: Act<K> } = {
  call: callService,
  webhook: awaitWebhook,

  advance({ account }, { advance }) {
    const isInstant = advance === "next" || /^\d{4}-/.test(advance);
    return act(isInstant ? account.clock.advanceTo(advance) : account.advance(advance));
  },

  async receive({ account, receivers }, { receive: { answers = [204], events } }) {
    let secret = "";
    const receiver = await openReceiver(answers, () => secret);
    receivers.push(receiver);
    const response = await account.fetch("/v1/webhooks", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url: receiver.url, ...(events ? { events } : {}) }),
    });
    const endpoint = (await response.json()) as { id: string; secret: string };
    if (!response.ok) throw new StepFailure(`the receiver cannot be registered: ${JSON.stringify(endpoint)}`);
    secret = endpoint.secret;
    receiver.endpoint = endpoint.id;
    return { actual: endpoint };
  },

  inbox: ({ account }, { inbox }) =>
    act(account.inbox.wait(inbox as Parameters<typeof account.inbox.wait>[0])),
  reply: ({ account }, { reply }) => act(account.inbox.reply(reply)),
  move: ({ account }, { id, move, with: input = {} }) =>
    act(account.records.move(id, move, input as Record<string, unknown>)),
  record: ({ account }, { record }) => act(account.records.get(record)),

  pay: ({ account }, { pay: { reference, ...body } }) =>
    act(account.control("POST", `/checkout/${encodeURIComponent(reference)}/pay`, body)),
  visit: ({ account }, { visit: { id, accuracy_m = 10, ...place } }) =>
    act(account.control("POST", `/address/${encodeURIComponent(id)}/visit`, { ...place, accuracy_m })),

  control({ account }, { control, body }) {
    const [method = "", path = ""] = control.split(" ");
    return act(account.control(method, path, body));
  },
};
