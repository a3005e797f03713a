/** Lookups at a DNS server and a web server on real sockets. Tests of the file alone are in real-file.test.ts. */
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { lookupTimeoutMs } from "../../../src/service/domains/real-proofs.js";
import { checked, nothing, publish, started } from "./dashboard.js";
import {
  accountAsking,
  checkedWith,
  name,
  path,
  startNames,
  startSite,
  text,
  token,
} from "./real-servers.js";

describe("the TXT record", () => {
  test("is found, and simulated proofs are ignored", async () => {
    const dns = await startNames({ [name]: [[await token()]] });
    expect(await checkedWith({ dns })).toEqual({ verified: true, method: "dns_txt" });
    expect(dns.asked).toEqual([name]);
    const account = await accountAsking({});
    const { id } = await started(account);
    await publish(account, "dns_txt");
    expect(await checked(account, id)).toEqual(nothing);
  });

  test("is found among others, and in chunks", async () => {
    const value = await token();
    const chunks = [value.slice(0, 10), "", value.slice(10)];
    const dns = await startNames({ [name]: [["v=spf1 -all"], chunks, ["other"]] });
    expect(await checkedWith({ dns })).toEqual({ verified: true, method: "dns_txt" });
  });

  test("is no proof with another value, in parts, or at the domain itself", async () => {
    const value = await token();
    for (const records of [
      { [name]: [[`${value}x`], [value.slice(0, 10)], [value.slice(10)]] },
      { "shop.example": [[value]] },
    ])
      expect(await checkedWith({ dns: await startNames(records) })).toEqual(nothing);
  });

  test("is looked up at every check until it is found, and not afterwards", async () => {
    const records: Record<string, string[][]> = {};
    const dns = await startNames(records);
    const account = await accountAsking({ dns });
    const { id, token: value } = await started(account);
    expect(await checked(account, id)).toEqual(nothing);
    records[name] = [[value]];
    for (const _ of [1, 2]) expect(await checked(account, id)).toMatchObject({ verified: true });
    expect(dns.asked).toEqual([name, name]);
  });
});

test("with both proofs, the TXT record counts", async () => {
  const value = await token();
  const dns = await startNames({ [name]: [[value]] });
  const { origin } = await startSite({ [path]: text(value) });
  expect(await checkedWith({ dns, origin })).toEqual({ verified: true, method: "dns_txt" });
});

test("with no proof or no server, nothing is found without an error", async () => {
  const dns = await startNames({});
  const { origin } = await startSite({});
  expect(await checkedWith({ dns, origin })).toEqual(nothing);
  expect(await checkedWith({})).toEqual(nothing);
});

test("a check waits five seconds for a DNS server that never answers, and still finds the file", async () => {
  const value = await token();
  /** Runs a check against a web server that answers like this. */
  const check = async (answer: (response: ServerResponse) => void) => {
    const dns = await startNames({}, { silent: true });
    const site = await startSite({ [path]: answer });
    const account = await accountAsking({ dns, origin: site.origin });
    const { id } = await started(account);
    const began = performance.now();
    return { reply: await checked(account, id), ms: performance.now() - began };
  };
  const [silent, answering] = await Promise.all([check(() => {}), check(text(value))]);
  expect(silent.reply).toEqual(nothing);
  expect(answering.reply).toEqual({ verified: true, method: "well_known_file" });
  for (const { ms } of [silent, answering]) expect(ms).toBeGreaterThan(lookupTimeoutMs - 50);
});
