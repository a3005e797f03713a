/** Starts address checks as clients do, and requests their hosted pages over HTTP. */
import { expect } from "vitest";
import type { SandboxAccount } from "../../src/index.js";
import { png } from "./forms.js";
import { post } from "./sandbox.js";

export interface StartedCheck {
  id: string;
  confirm_url: string;
  address: { latitude: number; longitude: number };
}

export async function startCheck(
  account: SandboxAccount,
  changes: Record<string, unknown> = {},
): Promise<StartedCheck> {
  const body = {
    address: "12 Allen Avenue, Ikeja, Lagos",
    full_name: "Ada Obi",
    country: "NG",
    ...changes,
  };
  const reply = await post(account, "/v1/verify/address", body);
  expect(reply.status).toBe(201);
  return reply.body;
}

/** Fields that the forms of the page send. */
export const atTheAddress = { proof: "location", at: "address" };
export const elsewhere = { proof: "location", at: "elsewhere" };
export const bill = (name = "bill.png", bytes: Uint8Array = png) => ({
  proof: "document",
  file: new File([new Uint8Array(bytes)], name),
});

export interface Shown {
  status: number;
  headers: Headers;
  html: string;
}

export async function show(url: string, init?: RequestInit): Promise<Shown> {
  const response = await fetch(url, { redirect: "manual", ...init });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** Posts a form to the page, as a browser would. */
export function sendForm(
  url: string,
  fields: Readonly<Record<string, string | File>>,
  headers: Record<string, string> = {},
): Promise<Shown> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return show(url, { method: "POST", body, headers });
}
