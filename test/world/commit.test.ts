import { describe, expect, test } from "vitest";
import { phoneVerification } from "../../src/service/phone/phone.js";
import type { Account } from "../../src/world/account/account.js";
import { IllegalMove } from "../../src/world/records/machine.js";
import { freshFolder } from "../support/folder.js";
import { bytes, openWorld } from "../support/world.js";

const key = "svc_test_commits";

/** Changes something of every kind that a request can change. */
function changeAll(account: Account): void {
  account.wallet.charge("phone_code", 600);
  const verification = account.records.start(phoneVerification, "send", {
    phone: "+2348031234567",
    code: account.random.digits(6),
    reference: null,
    expires_at: account.clock.now() + 600_000,
    cost: 600,
    is_test: true,
    attempts: 0,
    lock_at_first_check: false,
  });
  account.inbox.send({ channel: "sms", to: verification.phone, from: "Standin", text: "hi", codes: [] });
  account.outbox.emit("payout.paid", {});
  account.setClock({ offset: 0, frozen_at: account.clock.now() + 1_000 });
  account.settings = { ...account.settings, plan: "starter" };
}

const seen = (account: Account) => ({
  state: bytes(account),
  random: account.random.state,
  clock: account.clock.setting,
  plan: account.settings.plan,
  next: account.jobs.next()?.id ?? null,
});

describe("a commit", () => {
  test.each(["first", "later"])(
    "changes nothing in the account if it throws, as its %s commit",
    async (which) => {
      const folder = freshFolder();
      const first = openWorld(folder);
      const account = await first.account(key);
      if (which === "later") account.commit("api", () => changeAll(account));
      await account.safe();
      const before = seen(account);
      let notified = false;
      expect(() =>
        account.commit("api", () => {
          account.afterCommit(() => {
            notified = true;
          });
          changeAll(account);
          throw new Error("refused");
        }),
      ).toThrow("refused");
      expect(seen(account)).toEqual(before);
      // The next commit is reported alone, and the disk has the same state as memory.
      account.commit("api", () => account.inbox.receive({ channel_id: "c", from: "f", text: "t" }));
      await account.safe();
      expect(notified).toBe(false);
      const after = seen(account);
      await first.close();
      expect(seen(await openWorld(folder).account(key))).toEqual(after);
    },
  );

  test("within another commit joins it: both are kept or neither is", async () => {
    const account = await openWorld(freshFolder()).account(key);
    const before = seen(account);
    expect(() =>
      account.commit("api", () => {
        account.commit("api", () => changeAll(account));
        throw new Error("refused");
      }),
    ).toThrow("refused");
    expect(seen(account)).toEqual(before);
  });

  test("sees one instant of the clock, however long it takes", async () => {
    const account = await openWorld(freshFolder()).account(key);
    account.commit("api", () => {
      const now = account.clock.now();
      const end = performance.now() + 5;
      while (performance.now() < end);
      expect(account.clock.now()).toBe(now);
    });
  });

  test("with an illegal move is refused with the state and the legal moves", async () => {
    const account = await openWorld(freshFolder()).account(key);
    account.commit("api", () => changeAll(account));
    const [id = ""] = account.state.ids({ name: "phone_verification" });
    const move = (name: "send" | "verify") => () =>
      account.commit("api", () => {
        const record = account.records.get(phoneVerification, id);
        if (record) account.records.move(phoneVerification, record, name);
      });
    expect(move("send")).toThrow(IllegalMove);
    expect(move("send")).toThrow(`${id} is pending`);
    move("verify")();
    expect(move("verify")).toThrow("nothing moves it from there");
  });
});
