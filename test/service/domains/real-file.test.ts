import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { checked, nothing, started } from "./dashboard.js";
import { accountAsking, checkedWith, path, redirect, startSite, text, token } from "./real-servers.js";

describe("the well-known file", () => {
  const checkedAt = async (answer: (response: ServerResponse) => void) =>
    checkedWith({ origin: (await startSite({ [path]: answer })).origin });
  const found = { verified: true, method: "well_known_file" };

  test("is found, with white space around the token", async () => {
    expect(await checkedAt(text(`${await token()}\r\n`))).toEqual(found);
  });

  test.each([
    ["with another token", async () => text("another token")],
    ["with the token among other words", async () => text(`token: ${await token()}`)],
    ["with a status that is not 200", async () => text(await token(), 404)],
    ["with a status that is nearly 200", async () => text(await token(), 203)],
    ["of more than 4 KB", async () => text((await token()).padEnd(4_097, "\n"))],
    ["cut off", async () => text((await token()).slice(0, -1))],
    ["of a connection that breaks", async () => (response: ServerResponse) => void response.destroy()],
  ])("%s is not a proof", async (_what, answer) => {
    expect(await checkedAt(await answer())).toEqual(nothing);
  });

  test("of exactly 4 KB is found", async () => {
    expect(await checkedAt(text((await token()).padEnd(4_096, "\n")))).toEqual(found);
  });

  test("that never ends is read up to the limit", async () => {
    const answer = (response: ServerResponse) => {
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1_000)));
      };
      response.on("drain", more);
      more();
    };
    expect(await checkedAt(answer)).toEqual(nothing);
  });

  test.each([301, 302, 307, 308])("is found after a %d redirect on the same host", async (status) => {
    const site = await startSite({
      [path]: redirect("/proof.txt", status),
      "/proof.txt": text(await token()),
    });
    expect(await checkedWith(site)).toEqual(found);
    expect(site.asked).toEqual([path, "/proof.txt"]);
  });

  test("is not followed to another host, port or scheme", async () => {
    const elsewhere = await startSite({ "/proof.txt": text(await token()) });
    const { port } = new URL(elsewhere.origin);
    for (const location of [
      `${elsewhere.origin}/proof.txt`,
      `//127.0.0.1:${port}/proof.txt`,
      "file:///etc/passwd",
      "data:text/plain,token",
    ])
      expect(await checkedAt(redirect(location))).toEqual(nothing);
    const site = await startSite({ [path]: (response) => redirect(`${home}/proof.txt`)(response) });
    const home = site.origin.replace("127.0.0.1", "localhost");
    expect(await checkedWith(site)).toEqual(nothing);
    expect([elsewhere.asked, site.asked]).toEqual([[], [path]]);
  });

  test("is not found after more than three redirects", async () => {
    const site = await startSite({ [path]: redirect(path) });
    expect(await checkedWith(site)).toEqual(nothing);
    expect(site.asked).toHaveLength(4);
  });

  /** Responses of the domain's own host, by URL. */
  async function checkedOnWeb(origin: string | null, web: (token: string) => Record<string, Response>) {
    const { fetch } = globalThis;
    const answers = web(await token());
    const account = await accountAsking({ origin });
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
      const answer = answers[String(url)];
      return answer ? Promise.resolve(answer) : fetch(url, init);
    });
    onTestFinished(() => spy.mockRestore());
    return checked(account, (await started(account)).id);
  }

  test.each([
    [null, "https://shop.example"],
    ["http://{domain}:8080", "http://shop.example:8080"],
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ])("is fetched, with domains.origin %s, from %s", async (origin, from) => {
    expect(await checkedOnWeb(origin, (value) => ({ [from + path]: new Response(value) }))).toEqual(found);
  });

  test.each([
    ["http", "https", found],
    ["https", "http", nothing],
  ])("of a host that redirects from %s to %s", async (from, to, result) => {
    const web = (value: string) => ({
      [`${from}://shop.example${path}`]: new Response(null, {
        status: 301,
        headers: { Location: `${to}://shop.example${path}` },
      }),
      [`${to}://shop.example${path}`]: new Response(value),
    });
    expect(await checkedOnWeb(`${from}://{domain}`, web)).toEqual(result);
  });
});
