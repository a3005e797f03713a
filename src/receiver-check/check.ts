/** What a check of a receiver is: something sent, and a judgement of what came back. */
import type { Posts } from "./posts.js";
import type { Wire } from "./wire.js";

/** What is posted. */
export interface Post {
  readonly body: string;
  /** The signature header; null: there is none. */
  readonly signature: string | null;
  /** The service could have sent it. */
  readonly genuine: boolean;
}

/** What a receiver made of one post. */
export interface Exchange {
  /** Id of the check that it was part of. */
  readonly check: string;
  readonly post: Post;
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /** Real ms that the answer took. */
  readonly duration_ms: number;
  readonly error: string | null;
  readonly timedOut: boolean;
}

/** `advice`: it will do, and could be better. */
export interface Finding {
  readonly verdict: "pass" | "fail" | "advice";
  /** One sentence: what happened, and what would be right. */
  readonly says: string;
}

export interface Judgement {
  /** What a right receiver does; ends the sentence "right is …". */
  readonly right: string;
  judge(exchanges: readonly Exchange[]): Finding;
}

export interface Check extends Judgement {
  /** `forged/truncated`: its group, and its name in there. */
  readonly id: string;
  readonly title: string;
  /** What is sent, in a few words. */
  readonly sends: string;
  send(wire: Wire, posts: Posts): Promise<readonly Exchange[]>;
  /** Runs even where the receiver has been given up: it sends nothing that others have not sent. */
  readonly always?: true;
}

export interface CheckGroup {
  readonly name: string;
  readonly heading: string;
  readonly checks: readonly Check[];
}
