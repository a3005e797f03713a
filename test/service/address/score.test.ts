/** Interface: "Address check" in States and transitions. */
import { describe, expect, test } from "vitest";
import type { SandboxAccount } from "../../../src/index.js";
import { useSandbox } from "../../support/sandbox.js";
import { away, type Check, far, house, inaccurate, locate, near, started, submit } from "./checks.js";

const sandbox = useSandbox();

/** Addresses by their points for being found. */
const addresses = {
  40: house,
  30: "Allen Avenue, Ikeja, Lagos",
  15: "Ikeja, Lagos",
  0: "12 Allen Avenue, Atlantis",
} as const;
const documents = { 20: "bill.png", 10: "othername.png", 0: "otheraddress.png" } as const;
const spots = { 40: near, 20: inaccurate, 0: far } as const;

const checkOf = async (points: keyof typeof addresses): Promise<[SandboxAccount, Check]> => {
  const account = sandbox.account();
  return [account, await started(account, { address: addresses[points] })];
};

describe("score 70 or more: verified", () => {
  test("40 + 40 is verified", async () => {
    const [account, check] = await checkOf(40);
    const { status, body } = await locate(account, check, near(check));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "verified", match: true, confidence_score: 80 });
  });

  test("30 + 40 is verified: 70 is enough", async () => {
    const [account, check] = await checkOf(30);
    const { body } = await locate(account, check, near(check));
    expect(body).toMatchObject({ status: "verified", match: true, confidence_score: 70 });
  });

  test("40 + 20 (inaccurate location) + 10 (document in a different name) is verified", async () => {
    const [account, check] = await checkOf(40);
    await locate(account, check, inaccurate(check));
    const { body } = await submit(account, check, documents[10]);
    expect(body).toMatchObject({ status: "verified", confidence_score: 70 });
  });

  test("15 + 40 + 20 is verified", async () => {
    const [account, check] = await checkOf(15);
    await locate(account, check, near(check));
    const { body } = await submit(account, check);
    expect(body).toMatchObject({ status: "verified", confidence_score: 75 });
  });
});

describe("score 40 to 69: review", () => {
  test("40 + 20 (document) is review", async () => {
    const [account, check] = await checkOf(40);
    expect((await submit(account, check)).body).toMatchObject({ status: "review", confidence_score: 60 });
  });

  test("40 + 20 (inaccurate location) is review", async () => {
    const [account, check] = await checkOf(40);
    const { body } = await locate(account, check, inaccurate(check));
    expect(body).toMatchObject({ status: "review", match: false, confidence_score: 60 });
    expect(body.checks.location).toMatchObject({ status: "partial", points: 20 });
  });

  test("40 + 0 is review: 40 is enough", async () => {
    const [account, check] = await checkOf(40);
    const { body } = await locate(account, check, far(check));
    expect(body).toMatchObject({ status: "review", match: false, confidence_score: 40 });
  });

  test("15 + 40 + 10 is review", async () => {
    const [account, check] = await checkOf(15);
    await locate(account, check, near(check));
    const { body } = await submit(account, check, documents[10]);
    expect(body).toMatchObject({ status: "review", confidence_score: 65 });
  });
});

describe("score below 40: failed", () => {
  test("30 + 0 is failed", async () => {
    const [account, check] = await checkOf(30);
    const { body } = await locate(account, check, far(check));
    expect(body).toMatchObject({ status: "failed", match: false, confidence_score: 30 });
  });

  test("15 + 20 is failed", async () => {
    const [account, check] = await checkOf(15);
    const { body } = await locate(account, check, inaccurate(check));
    expect(body).toMatchObject({ status: "failed", match: false, confidence_score: 35 });
  });

  test("0 + 0 is failed, and so is 0 + 20 (document)", async () => {
    const [account, check] = await checkOf(0);
    const fix = { latitude: 6.5, longitude: 3.3, accuracy_m: 5 };
    expect((await locate(account, check, fix)).body).toMatchObject({
      status: "failed",
      match: false,
      confidence_score: 0,
    });
    expect((await submit(account, check)).body).toMatchObject({ status: "failed", confidence_score: 20 });
  });
});

describe("pending, review and failed can be rescored", () => {
  test("a better location later lifts review to verified", async () => {
    const [account, check] = await checkOf(40);
    expect((await locate(account, check, far(check))).body.status).toBe("review");
    const { body } = await locate(account, check, near(check));
    expect(body).toMatchObject({ status: "verified", match: true, confidence_score: 80 });
    expect(body.checks.location).toEqual({ status: "pass", points: 40, distance_m: 0, accuracy_m: 10 });
  });

  test("a failed check is lifted by a later document", async () => {
    const [account, check] = await checkOf(30);
    expect((await locate(account, check, far(check))).body.status).toBe("failed");
    expect((await submit(account, check)).body).toMatchObject({ status: "review", confidence_score: 50 });
  });

  test("a worse location lowers review to failed", async () => {
    const [account, check] = await checkOf(30);
    expect((await locate(account, check, inaccurate(check))).body.status).toBe("review");
    const { body } = await locate(account, check, far(check));
    expect(body).toMatchObject({ status: "failed", confidence_score: 30 });
  });

  test("a document that is replaced by a worse one lowers the score", async () => {
    const [account, check] = await checkOf(30);
    for (const [points, score] of [
      [20, 50],
      [10, 40],
      [0, 30],
    ] as const) {
      const { body } = await submit(account, check, documents[points]);
      expect(body.confidence_score).toBe(score);
      expect(body.checks.document.points).toBe(points);
    }
    expect((await account.records.get(check.id)).state).toBe("failed");
  });

  test("each result is in the history with its previous and next state", async () => {
    const [account, check] = await checkOf(40);
    await locate(account, check, far(check));
    await submit(account, check);
    await locate(account, check, away(check, 3));
    const { history } = await account.records.get(check.id);
    expect(history.map(({ move, from, to, by }) => [move, from, to, by])).toEqual([
      ["look_up", "new", "pending", "api"],
      ["locate", "pending", "review", "api"],
      ["document", "review", "review", "api"],
      ["locate", "review", "verified", "api"],
    ]);
  });
});

/** The interface's table, written from its text alone. */
const resultOf = (score: number) => (score >= 70 ? "verified" : score >= 40 ? "review" : "failed");

const combinations = ([40, 30, 15] as const).flatMap((found) =>
  ([0, 10, 20] as const).flatMap((document) =>
    ([0, 20, 40] as const).map((location) => ({
      found,
      document,
      location,
      score: found + document + location,
    })),
  ),
);

describe("every combination of points is reached", () => {
  test.each(combinations)(
    "found $found, document $document, location $location: $score",
    async ({ found, document, location, score }) => {
      const [account, check] = await checkOf(found);
      const first = await submit(account, check, documents[document]);
      expect(first.body).toMatchObject({
        status: resultOf(found + document),
        confidence_score: found + document,
      });
      const { body } = await locate(account, check, spots[location](check));
      expect(body).toMatchObject({
        status: resultOf(score),
        match: score >= 70,
        confidence_score: score,
        checks: {
          address_exists: { points: found },
          document: { points: document },
          location: { points: location },
        },
      });
    },
  );
});
