/** A deviating service: an Express server in front of a sandbox changes its replies. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: a deviation changes any JSON
type Body = any;

export interface Reply {
  status: number;
  type: string;
  body: Body;
  /** Headers that are left out. */
  without?: readonly string[];
}

/** Changes a reply of the route. `count` is the number of the request to it, from 1. */
export type Deviate = (reply: Reply, count: number) => void | Promise<void>;

const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A request as a deviating service gets it. Its body can be changed before the sandbox gets it. */
export interface Asked {
  readonly route: string;
  readonly headers: Headers;
  body: Body;
}

/** Returns the reply of a request that the sandbox does not get; null if it gets it, changed or not. */
export type Intercept = (asked: Asked, count: number) => Reply | null;

/** Serves the sandbox, with a deviation on the routes that match. */
export async function front(
  target: string,
  route: RegExp,
  deviate: Deviate,
  intercept: Intercept = () => null,
): Promise<string> {
  let count = 0;
  let asked = 0;
  const app = express().use(express.raw({ type: () => true, limit: "60mb" }), async (request, response) => {
    const headers = new Headers();
    for (const name of ["x-service-key", "content-type"]) {
      const value = request.headers[name];
      if (typeof value === "string") headers.set(name, value);
    }
    const init = { method: request.method, headers };
    const hasBody = Buffer.isBuffer(request.body) && request.body.length > 0;
    let bytes = hasBody ? new Uint8Array(request.body) : null;
    const called = `${request.method} ${request.path}`;
    if (route.test(called)) {
      const own: Asked = { route: called, headers, body: parse(bytes) };
      const before = JSON.stringify(own.body);
      const answer = intercept(own, ++asked);
      if (answer)
        return void response
          .status(answer.status)
          .set("content-type", answer.type)
          .send(JSON.stringify(answer.body));
      if (JSON.stringify(own.body) !== before) bytes = new TextEncoder().encode(JSON.stringify(own.body));
    }
    const answer = await fetch(target + request.url, bytes ? { ...init, body: bytes } : init);
    for (const name of ["date", "retry-after"])
      if (answer.headers.has(name)) response.set(name, answer.headers.get(name) as string);
    const type = answer.headers.get("content-type") ?? "";
    const replied = Buffer.from(await answer.arrayBuffer());
    if (!type.includes("json")) return void response.status(answer.status).type(type).send(replied);
    const reply: Reply = { status: answer.status, type, body: JSON.parse(replied.toString()) };
    if (route.test(called)) await deviate(reply, ++count);
    for (const name of reply.without ?? []) response.removeHeader(name);
    response.status(reply.status).set("content-type", reply.type).send(JSON.stringify(reply.body));
  });
  return listen(createServer(app));
}

function parse(bytes: Uint8Array | null): Body {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString());
  } catch {
    return undefined;
  }
}

export async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const start = /^POST \/v1\/phone\/verify\/start$/;
const check = /^POST \/v1\/phone\/verify\/check$/;
const account = /^POST \/v1\/business\/virtual-accounts$/;
const payments = /^GET \/v1\/business\/payments$/;
const payout = /^POST \/v1\/business\/payouts$/;
const isSuccess = ({ status }: Reply) => status < 300;

/** Changes of one thing each, with what a comparison finds. */
export const deviations: [title: string, scenario: string, route: RegExp, deviate: Deviate, found: string][] =
  [
    [
      "a field is renamed",
      "phone-code",
      start,
      ({ body }) => {
        body.price = body.cost;
        delete body.cost;
      },
      "startPhoneVerification cost is called price",
    ],
    [
      "a phone number is not in E.164",
      "phone-sms-failed",
      start,
      ({ body }) => {
        body.phone = body.phone.replace("+234", "0");
      },
      'startPhoneVerification phone must match pattern "^\\+[1-9][0-9]{1,14}$"',
    ],
    [
      "a field is missing",
      "phone-code",
      start,
      ({ body }) => {
        delete body.expires_at;
      },
      "startPhoneVerification expires_at is missing",
    ],
    [
      "a field is added",
      "phone-code",
      start,
      ({ body }) => {
        body.carrier = "mtn";
      },
      "startPhoneVerification carrier is not a field of the contract",
    ],
    [
      "a number is a string",
      "phone-code",
      start,
      ({ body }) => {
        body.cost = String(body.cost);
      },
      "startPhoneVerification cost should be number and is string",
    ],
    [
      "a field is null",
      "phone-code",
      start,
      ({ body }) => {
        body.phone = null;
      },
      "startPhoneVerification phone should be string and is null",
    ],
    [
      "a time is not ISO 8601",
      "phone-code",
      start,
      ({ body }) => {
        body.expires_at = "in ten minutes";
      },
      'startPhoneVerification expires_at must match format "date-time"',
    ],
    [
      "an id has another prefix",
      "phone-code",
      start,
      ({ body }) => {
        body.id = body.id?.replace("phv_", "ver_");
      },
      "startPhoneVerification id must match pattern",
    ],
    [
      "a state is unknown",
      "phone-code",
      check,
      ({ body }) => {
        body.status = body.verified ? "approved" : body.status;
      },
      'checkPhoneVerification status is "approved", which is not one of',
    ],
    [
      "a state is left out",
      "phone-code",
      start,
      ({ body }) => {
        body.status = "verified";
      },
      'startPhoneVerification status is "verified" where the sandbox has "pending"',
    ],
    [
      "states come in another order",
      "phone-code",
      check,
      ({ body }) => {
        body.status = body.status === "verified" ? "pending" : body.status;
      },
      'checkPhoneVerification status is "pending" where the sandbox has "verified"',
    ],
    [
      "a flag is the other one",
      "phone-code",
      check,
      ({ body }) => {
        body.verified = !body.verified;
      },
      "checkPhoneVerification verified is",
    ],
    [
      "a status is another success",
      "phone-code",
      start,
      (reply) => {
        reply.status = isSuccess(reply) ? 202 : reply.status;
      },
      "startPhoneVerification status is 202, which the contract does not have",
    ],
    [
      "a success is refused",
      "monthly-rent",
      account,
      (reply) => {
        reply.status = 409;
        reply.body = {
          error: {
            type: "conflict_error",
            code: "duplicate_reference",
            message: "No.",
            param: null,
            details: [],
            request_id: "r",
          },
        };
      },
      "createVirtualAccount status is 409 where the sandbox answers 201",
    ],
    [
      "a content type is another",
      "phone-code",
      start,
      (reply) => {
        reply.type = "text/json";
      },
      "startPhoneVerification content-type should be application/json and is text/json",
    ],
    [
      "an error has another envelope",
      "payout-rejected",
      payout,
      (reply) => {
        reply.body = isSuccess(reply) ? reply.body : { errors: [reply.body.error] };
      },
      "createPayout error is",
    ],
    [
      "an error has another code",
      "payout-rejected",
      payout,
      ({ body }) => {
        body.error.code = "not_enough_money";
      },
      "createPayout error code is not_enough_money where the sandbox has insufficient_available_balance",
    ],
    [
      "a fee is off by a kobo",
      "refund-processed",
      payments,
      ({ body }) => {
        for (const payment of body.payments) payment.fee = Math.round(payment.fee * 100 + 1) / 100;
      },
      "listPayments payments[].fee is",
    ],
    [
      "amounts do not add up",
      "refund-processed",
      payments,
      ({ body }) => {
        for (const payment of body.payments) payment.net = Math.round(payment.net * 100 - 1) / 100;
      },
      "listPayments payments[].net is",
    ],
    [
      "an id changes between calls",
      "phone-code",
      check,
      ({ body }, count) => {
        body.id = `phv_${String(count).padStart(16, "0")}`;
      },
      "checkPhoneVerification id is not id of the request",
    ],
    [
      "a reference is not echoed",
      "phone-code",
      start,
      ({ body }, count) => {
        body.reference = `ref-${count}-xyz`;
      },
      "startPhoneVerification reference is not reference of the request",
    ],
    [
      "a list has other fields",
      "monthly-rent",
      /^GET \/v1\/business\/payments$/,
      ({ body }) => {
        body.items = body.payments;
        delete body.payments;
      },
      "listPayments payments is called items",
    ],
  ];

/** Deviations that only a comparison with the sandbox finds, with what the replies alone show. */
export const shownByReplies: Readonly<Record<string, readonly string[]>> = {
  "a state is left out": ['checkPhoneVerification status is "pending" after "verified"'],
  "states come in another order": [],
  "a flag is the other one": [],
  "a success is refused": [],
  "an error has another code": [],
  "a fee is off by a kobo": ["listPayments payments[].net is not amount less fee"],
};
