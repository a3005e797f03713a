/** Nothing that leaves the sandbox quotes a secret that a long session has put in: files, exports, logs and lists of requests. */
import { expect, test } from "vitest";
import { Random } from "../../src/time/random.js";
import { playSession } from "../scenarios/record/random-session.js";
import { filesBelow, freshFolder, startOn } from "../support/folder.js";
import { repetitions, upTo } from "../support/repetitions.js";
import { call, post } from "../support/sandbox.js";

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.integer(0, 9)).join("");

test("files, exports and logs have no secret of a session of random calls", upTo(30), async () => {
  const folder = freshFolder();
  const program = await startOn(folder, "--log", "json");
  const random = Random.seeded("secrets");
  const key = `svc_test_Secr3t${digits(random, 8)}`;
  const account = program.account(key);
  /** What clients gave, which never reaches the disk. */
  const given = new Set([key]);
  /** What the sandbox made. It is part of the account's state. */
  const made = new Set<string>();
  const secret = (text: string): string => {
    given.add(text);
    return text;
  };
  const exported: string[] = [];
  for (let round = 0; round < repetitions(8, 70); round++) {
    // A recording needs everything since the account was empty, of which only the newest 1,000 calls are kept.
    if (round % 15 === 14) await account.reset();
    await playSession(account, `secrets ${round}`);
    // The session's rules would cut the connections of what follows.
    for (const { id } of await account.rules.list()) await account.rules.remove(id);
    await post(account, "/v1/phone/verify/start", { phone: "08031234567" });
    const bvn = secret(`22${digits(random, 9)}`);
    const nin = secret(`71${digits(random, 9)}`);
    const licence_number = secret(`QXZ${digits(random, 5)}AA05`);
    const card_number = secret(`4${digits(random, 15)}`);
    await post(account, "/v1/verify/bvn", { bvn, first_name: "Ada" });
    await post(account, "/v1/verify/bvn", { bvn: Number(bvn), nin });
    await post(account, "/v1/verify/nin", { nin });
    await post(account, "/v1/verify/frsc", { licence_number });
    await post(account, "/v1/phone/verify/check", { id: "phv_none", code: secret(digits(random, 8)) });
    await post(account, "/v1/business/charges", { amount: 5_000, card: { card_number, cvv: "123" } });
    await call(account, "GET", `/v1/balance?api_key=${key}&code=${secret(digits(random, 7))}&bvn=${bvn}`);
    await call(account, "GET", "/v1/balance", undefined, {
      "X-Api-Key": secret(`sk_${digits(random, 12)}`),
      "Proxy-Authorization": `Bearer ${secret(`px_${digits(random, 12)}`)}`,
      Cookie: `session=${secret(`ck_${digits(random, 12)}`)}`,
    });
    for (const { codes } of await account.inbox.list())
      for (const code of codes) if (/^\d{6,}$/.test(code)) made.add(code);
    made.add((await account.control<{ webhook_secret: string }>("GET", "/account")).webhook_secret);
    for (const path of ["/export/bundle", "/export/har", "/export/scenario", "/export/pact"])
      exported.push(JSON.stringify(await account.control("GET", path)));
    // The inbox shows the codes of messages, which a tester needs. What clients sent and got is shown without them.
    exported.push(JSON.stringify(await account.control("GET", "/requests")));
  }
  expect(await program.stop()).toBe(0);
  const outputs = [
    ...exported.map((text, at) => [`export ${at}`, text] as const),
    ["stdout", program.stdout()] as const,
    ["stderr", program.stderr()] as const,
  ];
  expect(Math.min(given.size, made.size)).toBeGreaterThan(8);
  expect(leaksIn(outputs, [...given, ...made])).toEqual([]);
  expect(leaksIn([...filesBelow(folder)], [...given])).toEqual([]);
});

const leaksIn = (places: readonly (readonly [name: string, text: string])[], secrets: readonly string[]) =>
  places.flatMap(([name, text]) =>
    secrets
      .filter((secret) => new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`).test(text))
      .map((secret) => `${secret} in ${name}`),
  );
