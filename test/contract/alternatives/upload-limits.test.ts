import { describe, expect, test } from "vitest";
import { bill, sendForm, startCheck } from "../../support/address-check.js";
import { file, pngOf } from "../../support/forms.js";
import { useSandbox } from "../../support/sandbox.js";
import { upload } from "../../support/uploads.js";
import { byId, named } from "./asking.js";
import { useContract } from "./served-contract.js";
import { useAlternative } from "./use-alternative.js";

const uploads = byId(({ upload }) => upload);
const sizes = /At most (\d+) MB \(([\d,]+) bytes\)/;

describe("decimal", () => {
  const sandbox = useAlternative("uploads.megabyte", "decimal");
  const contract = useContract(sandbox);

  test("15,000,000 bytes are accepted for a limit of 15 MB, and one more is refused", async () => {
    const account = sandbox.account();
    expect((await upload(account, [file("file", pngOf(15_000_000))])).status).toBe(200);
    expect(await upload(account, [file("file", pngOf(15_000_001))])).toMatchObject({
      status: 413,
      body: {
        error: { code: "file_too_large", message: "file may have at most 15000000 bytes (15 MB)." },
      },
    });
  });

  test("a hosted page has the same limit", async () => {
    await sandbox.listen();
    const check = await startCheck(sandbox.account());
    const { status } = await sendForm(check.confirm_url, bill("bill.png", pngOf(15_000_001)));
    expect(status).toBe(413);
  });

  test.each(uploads)("the contract of %s states the limit in these units", (_id, operation) => {
    const [, megabytes, bytes] = sizes.exec(JSON.stringify(contract().entry(operation))) ?? [];
    expect(bytes).toBe(`${megabytes},000,000`);
  });
});

describe("binary, the default", () => {
  const sandbox = useSandbox();
  const contract = useContract(sandbox);

  test("15,728,640 bytes are accepted for a limit of 15 MB, and one more is refused", async () => {
    const account = sandbox.account();
    expect((await upload(account, [file("file", pngOf(15_728_640))])).status).toBe(200);
    expect((await upload(account, [file("file", pngOf(15_728_641))])).status).toBe(413);
  });

  test("the contract says how many bytes a MB has", () => {
    expect(JSON.stringify(contract().entry(named("verifyLiveness")))).toContain(
      "At most 15 MB (15,728,640 bytes)",
    );
  });
});
