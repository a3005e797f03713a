/**
 * What strangers send. The header holds the lowercase hex HMAC of the raw body, and a mismatch is rejected (interface:
 * "Signature"); spaces around it are not checked, since HTTP itself takes them off.
 */
import { sign } from "../webhooks/sign.js";
import type { Check, CheckGroup, Post } from "./check.js";
import { refused } from "./judgements.js";
import type { Posts } from "./posts.js";

const lowercaseHexOnly = "a 4xx such as 401: the header holds lowercase hex and nothing else";

const forged = (
  name: string,
  title: string,
  sends: string,
  post: (posts: Posts) => Post,
  right = "a 4xx such as 401",
): Check => ({
  id: `forged/${name}`,
  title,
  sends,
  ...refused(right),
  send: async (wire, posts) => [await wire.post(post(posts))],
});

const otherLast = (hex: string): string => hex.slice(0, -1) + (hex.endsWith("0") ? "1" : "0");

const withChangedByte = (posts: Posts): Post => {
  const { body, signature } = posts.of("payout.paid", { amount: 7000 });
  return { body: body.replace('"amount":7000', '"amount":9000'), signature, genuine: false };
};

/** Upper case differs only where the digest has letters: nearly always, but not by law. */
const inUpperCase = (posts: Posts): Post => {
  const post = posts.forged(({ right }) => right.toUpperCase());
  return /[A-F]/.test(post.signature ?? "") ? post : inUpperCase(posts);
};

export const forgedGroup: CheckGroup = {
  name: "forged",
  heading: "Forged deliveries",
  checks: [
    forged("wrong", "A wrong signature is refused", "last digit changed", (posts) =>
      posts.forged(({ right }) => otherLast(right)),
    ),
    forged("missing", "A delivery without a signature is refused", "no signature header", (posts) =>
      posts.forged(() => null),
    ),
    forged("empty", "An empty signature is refused", "empty signature header", (posts) =>
      posts.forged(() => ""),
    ),
    forged("other-secret", "A signature by another secret is refused", "signed by another secret", (posts) =>
      posts.forged(({ body }) => sign(body, posts.otherSecret)),
    ),
    forged(
      "other-body",
      "A right signature of another delivery is refused",
      "signature of another body",
      (posts) => posts.forged(() => posts.of("payout.paid").signature),
    ),
    forged("changed-byte", "A changed body is refused", "one byte of the body changed", withChangedByte),
    forged("uppercase", "Uppercase hex is refused", "right, in uppercase", inUpperCase, lowercaseHexOnly),
    forged(
      "truncated",
      "The first half of a signature is refused",
      "the first 32 digits",
      (posts) => posts.forged(({ right }) => right.slice(0, 32)),
      lowercaseHexOnly,
    ),
    forged(
      "longer",
      "A signature with more behind it is refused",
      "right, and 00 behind it",
      (posts) => posts.forged(({ right }) => `${right}00`),
      lowercaseHexOnly,
    ),
    forged(
      "prefixed",
      "A signature with a prefix is refused",
      "right, behind sha256=",
      (posts) => posts.forged(({ right }) => `sha256=${right}`),
      lowercaseHexOnly,
    ),
    forged("not-ascii", "A signature that is no ASCII is refused", "64 times é", (posts) =>
      posts.forged(() => "é".repeat(64)),
    ),
    forged("empty-body", "An empty body with a wrong signature is refused", "empty body", (posts) => ({
      body: "",
      signature: sign("", posts.otherSecret),
      genuine: false,
    })),
  ],
};
