/** A chart of the balances over the account's time. Pointer and keyboard reach its entries. */

import type { ActivityEntry } from "../../../../client/account/types.js";
import type { CallReply } from "../../../../client/client.js";
import { day } from "../../../../time/instants.js";
import { formatAmount, formatChange, formatDay, formatTime } from "../../pieces/format.js";

type LedgerView = CallReply<"getLedger">;
type Amounts = LedgerView["items"][number]["amounts"];

/** Balances that are shown, with the ledger accounts that make up each of them. */
const balanceNames = {
  balance: ["pending", "available"],
  available: ["available"],
  pending: ["pending"],
  held: ["held"],
} as const;
type BalanceName = keyof typeof balanceNames;
type Balances = Readonly<Record<BalanceName, number>>;

/** An entry of the ledger with the balances after it. */
export interface Posting {
  /** Number of the entry as text. The oldest is 1. */
  readonly id: string;
  readonly at: string;
  /** Id of the record that posted it. */
  readonly record: string;
  /** A sentence that says who paid or is paid, and what happened. */
  readonly what: string;
  readonly amounts: Amounts;
  readonly after: Balances;
}

const kobo = (naira: number): number => Math.round(naira * 100);

const balancesOf = (of: Amounts): Balances => {
  const sum = (names: readonly string[]) =>
    names.reduce((total, name) => total + kobo(of[name] ?? 0), 0) / 100;
  return {
    balance: sum(balanceNames.balance),
    available: sum(balanceNames.available),
    pending: sum(balanceNames.pending),
    held: sum(balanceNames.held),
  };
};

/**
 * Returns the entries with the balances after each of them, newest first. `moves` are the changes of state, newest first, whose
 * sentences say what an entry is for. A record with several moves at the same time has an entry for each of the newest.
 */
export function toPostings(
  { balances, items }: LedgerView,
  moves: readonly Pick<ActivityEntry, "at" | "title" | "refs">[],
): Posting[] {
  const sentences = new Map<string, string[]>();
  for (const { at, title, refs } of moves) {
    const key = `${refs.record} ${at}`;
    sentences.set(key, [...(sentences.get(key) ?? []), title]);
  }
  const now: Record<string, number> = { ...balances };
  return items.map(({ at, record, amounts }, index) => {
    const after = balancesOf(now);
    for (const [name, amount] of Object.entries(amounts))
      now[name] = (kobo(now[name] ?? 0) - kobo(amount)) / 100;
    const what = sentences.get(`${record} ${at}`)?.shift() ?? record;
    return { id: String(items.length - index), at, record, what, amounts, after };
  });
}

interface ChartProps {
  /** Newest first. At least one. */
  postings: readonly Posting[];
  /** Entry that is shown. */
  shown: Posting;
  onShow(posting: Posting): void;
}

/** Lengths in units of the drawing. */
const size = { width: 1_000, height: 260, left: 12, right: 12, top: 14, bottom: 14 };

const names = Object.keys(balanceNames) as BalanceName[];

/** Describes an entry in one sentence, for screen readers. */
const formatPosting = ({ at, what, after }: Posting): string =>
  `${formatTime(at)} UTC, ${formatDay(at)}: ${what} ${names.map((name) => `${name} NGN ${formatAmount(after[name])}`).join(", ")}`;

/** Number of parts of each axis. For amounts, the maximum. */
const axisParts = { amounts: 4, times: 3 };

/** Returns round amounts between two: 1, 2 or 5 times a power of ten apart. */
function roundAmounts(least: number, highest: number): number[] {
  const rough = (highest - least) / axisParts.amounts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(highest / step) - first + 1 }, (_, index) => (first + index) * step);
}

const short = new Intl.NumberFormat("en", { notation: "compact" });

/** Formats a time on the axis, with its day if the axis is longer than a day. */
const formatTick = (time: number, lengthMs: number): string => {
  const iso = new Date(time).toISOString();
  return lengthMs > day ? `${Number(iso.slice(8, 10))} ${formatDay(iso).split(" ")[2]}` : formatTime(iso);
};

export function Chart({ postings, shown, onShow }: ChartProps) {
  const oldestFirst = postings.toReversed();
  const times = oldestFirst.map(({ at }) => Date.parse(at));
  const [first, last] = [times[0] as number, times.at(-1) as number];
  const values = oldestFirst.flatMap(({ after }) => names.map((name) => after[name]));
  const [least, highest] = [Math.min(0, ...values), Math.max(1, ...values)];
  const xOf = (time: number): number =>
    size.left + ((time - first) / Math.max(1, last - first)) * (size.width - size.left - size.right);
  const yOf = (value: number): number =>
    size.height -
    size.bottom -
    ((value - least) / (highest - least)) * (size.height - size.top - size.bottom);
  const lineOf = (name: BalanceName): string =>
    oldestFirst
      .map(({ after }, index) => {
        const [x, y] = [xOf(times[index] as number).toFixed(1), yOf(after[name]).toFixed(1)];
        return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
      })
      .join("");
  const place = oldestFirst.findIndex(({ id }) => id === shown.id);
  const step = (by: number) => {
    const next = oldestFirst[Math.min(Math.max(place + by, 0), oldestFirst.length - 1)];
    if (next) onShow(next);
  };
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    Home: -oldestFirst.length,
    End: oldestFirst.length,
  };
  const x = xOf(times[place] ?? last);
  const nearest = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const at = ((event.clientX - left) / width) * size.width;
    const distances = times.map((time) => Math.abs(xOf(time) - at));
    const found = oldestFirst[distances.lastIndexOf(Math.min(...distances))];
    if (found) onShow(found);
  };
  const ticks = Array.from(
    { length: axisParts.times + 1 },
    (_, index) => first + ((last - first) * index) / axisParts.times,
  );
  return (
    <figure class="chart-figure">
      <div class="chart-amounts" aria-hidden="true">
        {roundAmounts(least, highest).map((amount) => (
          <span key={amount} style={{ top: `${(yOf(amount) / size.height) * 100}%` }}>
            {short.format(amount)}
          </span>
        ))}
      </div>
      <div
        class="chart"
        role="slider"
        tabIndex={0}
        aria-label="Entries of the ledger over time"
        aria-valuemin={1}
        aria-valuemax={oldestFirst.length}
        aria-valuenow={place + 1}
        aria-valuetext={formatPosting(shown)}
        onPointerMove={nearest}
        onPointerDown={nearest}
        onKeyDown={(event) => {
          const by = keys[event.key];
          if (by === undefined) return;
          event.preventDefault();
          step(by);
        }}
      >
        <svg viewBox={`0 0 ${size.width} ${size.height}`} preserveAspectRatio="none" aria-hidden="true">
          {roundAmounts(least, highest).map((amount) => (
            <path
              key={amount}
              class={amount === 0 ? "chart-zero" : "chart-grid"}
              d={`M0 ${yOf(amount)}H${size.width}`}
            />
          ))}
          {names.map((name) => (
            <path key={name} class={`chart-line ${name}`} d={lineOf(name)} />
          ))}
          <path class="chart-now" d={`M${x} 0V${size.height}`} />
        </svg>
      </div>
      <div class="chart-times" aria-hidden="true">
        {(last > first ? ticks : [first]).map((time) => (
          <span key={time}>{formatTick(time, last - first)}</span>
        ))}
      </div>
      <figcaption>Balances in NGN over the account's time, in UTC</figcaption>
    </figure>
  );
}

/** Names the lines of the chart, with the balances after the shown entry and its changes. */
export const Legend = ({ shown, before }: { shown: Posting; before: Posting | undefined }) => (
  <dl class="legend">
    {names.map((name) => {
      const change = shown.after[name] - (before?.after[name] ?? 0);
      return (
        <div key={name}>
          <dt class="hint">
            <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
              <path class={`chart-line ${name}`} d="M1 4H27" />
            </svg>
            {name}
          </dt>
          <dd>
            <b>{formatAmount(shown.after[name])}</b>{" "}
            {Math.abs(change) >= 0.005 && <span class="soft">{formatChange(change)}</span>}
          </dd>
        </div>
      );
    })}
  </dl>
);
