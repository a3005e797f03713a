/** Turns the first calls from before a recording into `given`, as far as that makes the same records in the same order. */
import { type Fields, sections } from "../given-sections.js";
import type { Recorder } from "./recorder.js";
import { hasSucceeded, type RecordedCall } from "./session-log.js";

/** Sections whose operations send no message and schedule nothing before the next call. */
const foldable = new Set(
  "account people channels business payout_account virtual_accounts payments charges payouts refunds".split(
    " ",
  ),
);

type Item = Record<string, unknown>;

export class GivenCalls {
  readonly given: Record<string, unknown> = {};
  #position = 0;
  #last: { item: Item; id: unknown } | null = null;

  constructor(readonly recorder: Recorder) {}

  /** Adds a call from before the recording. Returns false if that is not possible; it and all later calls become steps. */
  add(recorded: RecordedCall): boolean {
    const { recorder } = this;
    if (!recorder.isSetup || recorder.steps.length > 0 || !hasSucceeded(recorded)) return false;
    return recorded.operation.id === "moveRecord" ? this.#addMove(recorded) : this.#addRecord(recorded);
  }

  #addRecord({ operation, body, reply, call }: RecordedCall): boolean {
    const names = Object.keys(sections);
    const position = names.findIndex(
      (name) => sections[name]?.operation === operation.id && foldable.has(name),
    );
    const name = names[position] as string;
    const section = sections[name];
    const isReady = Object.keys(section?.needs ?? {}).every((needed) => needed in this.given);
    const isPlain = call.decided_by === null || call.decided_by === "default";
    if (!section || position < this.#position || !isReady || !isPlain || !body) return false;
    if (section.one && name in this.given) return false;
    const item = this.recorder.rewrite(body) as Item;
    const list = (this.given[name] ?? []) as Item[];
    this.given[name] = section.one ? item : [...list, item];
    this.recorder.known.learn({ as: "given" }, "given", {
      [name]: section.one ? reply : { [list.length]: reply },
    });
    this.#position = position;
    this.#last = { item, id: (reply as Fields | undefined)?.[section.id ?? "id"] };
    return true;
  }

  #addMove({ params, body }: RecordedCall): boolean {
    const last = this.#last;
    if (last === null || params.id !== last.id) return false;
    const isBare = Object.keys(body ?? {}).length === 0;
    const move = isBare ? params.move : { move: params.move, with: this.recorder.rewrite(body) };
    last.item.moves = [...((last.item.moves as unknown[] | undefined) ?? []), move];
    return true;
  }
}
