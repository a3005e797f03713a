import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { call, read, useSandbox } from "../../support/sandbox.js";
import { sendToTool } from "../../support/uploads.js";
import { logo, photo } from "./client.js";

const sandbox = useSandbox();
type Account = ReturnType<typeof sandbox.account>;

const fields = { kind: "splash", platform: "ios" };
const send = (account: Account, file: Uint8Array, asked: Record<string, string> = fields, headers = {}) =>
  sendToTool(account, "store-assets", file, "logo.png", { fields: asked, headers });

it("returns the same zip for the same picture", async () => {
  const bytes = await logo.clone().png().toBuffer();
  const zip = async () => {
    const response = await send(sandbox.account(), bytes);
    return Buffer.from(await response.arrayBuffer());
  };
  expect((await zip()).equals(await zip())).toBe(true);
});

describe("the price", () => {
  const balance = async (account: Account): Promise<number> =>
    (await call(account, "GET", "/v1/balance")).body.balance;
  const cost = async (account: Account, ...request: [Uint8Array, Record<string, string>?, object?]) => {
    const before = await balance(account);
    const response = await send(account, ...request);
    await response.arrayBuffer();
    return { status: response.status, cost: before - (await balance(account)) };
  };

  it("is NGN 10 for a zip with the upload's name", async () => {
    const account = sandbox.account();
    expect(await cost(account, await logo.clone().png().toBuffer())).toEqual({ status: 200, cost: 10 });
    const response = await send(account, await logo.clone().png().toBuffer());
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toContain("logo.zip");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).toEqual(["ios/splash/splash-2732x2732.png"]);
  });

  it("is nothing with the monthly tools pass", async () => {
    const account = sandbox.account();
    await account.update({ tools_pass: true, balance: 0 });
    expect(await cost(account, await logo.clone().png().toBuffer())).toEqual({ status: 200, cost: 0 });
  });

  it("is refused if the balance is insufficient", async () => {
    const account = sandbox.account();
    await account.update({ balance: 9 });
    const reply = await read(await send(account, await logo.clone().png().toBuffer()));
    expect([reply.status, reply.body.error.code]).toEqual([402, "insufficient_balance"]);
    expect(await balance(account)).toBe(9);
  });

  it("is not charged for a refused file", async () => {
    const account = sandbox.account();
    const whole = await photo.clone().png().toBuffer();
    const webp = await logo.clone().webp().toBuffer();
    expect(await cost(account, whole.subarray(0, whole.length / 2))).toEqual({ status: 422, cost: 0 });
    expect(await cost(account, webp)).toEqual({ status: 415, cost: 0 });
    expect(await cost(account, whole, { ...fields, kind: "banner" })).toEqual({ status: 400, cost: 0 });
    expect(await cost(account, whole, { kind: "icon" })).toEqual({ status: 400, cost: 0 });
    expect(await cost(account, whole, fields, { "X-Sandbox-Outcome": "unreadable" })).toEqual({
      status: 422,
      cost: 0,
    });
  });
});
