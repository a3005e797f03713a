/** Money: the balances of the business over time, the wallet that pays for calls, and the entries of the ledger. */
import { useSignal } from "@preact/signals";
import { call } from "../../api/control.js";
import { formatAmount, formatChange, formatDay, formatName, formatTime } from "../../pieces/format.js";
import { Detail, Empty, FactList, Section } from "../../pieces/layout.js";
import { ListScreen } from "../../pieces/list-screen.js";
import { LoadDemo } from "../../pieces/load-demo.js";
import { useResource } from "../../state/resource.js";
import { href, hrefHere, route } from "../../state/route.js";
import { chosenAccount } from "../../state/session.js";
import { Chart, Legend, type Posting, toPostings } from "./chart.js";

/** Maximum number of entries that are drawn and listed. */
const maxEntries = 2_000;

/** Maximum number of moves whose sentences are read. Older entries show the name of their record. */
const maxMoves = 1_000;

async function readMoney() {
  const [ledger, account, moves] = await Promise.all([
    call("getLedger", { query: { limit: maxEntries } }),
    call("getAccount"),
    call("listActivity", { query: { kind: "move", limit: maxMoves } }),
  ]);
  return {
    items: toPostings(ledger, moves.items),
    fees: ledger.balances.fees ?? 0,
    wallet: account.balance,
  };
}

export function MoneyScreen() {
  const [open = null] = route.value.path;
  const read = useResource(readMoney, [chosenAccount.value], () => true);
  const openedOf = (postings: readonly Posting[] = []) => postings.find(({ id }) => id === open);
  return (
    <ListScreen
      of={read}
      limit={maxEntries}
      label="Entries of the ledger, newest first"
      openId={open}
      hrefOf={({ id }) => hrefHere(id)}
      above={({ items, fees, wallet }) => (
        <>
          <Overview postings={items} opened={openedOf(items)} fees={fees} wallet={wallet} />
          <PostingHead />
        </>
      )}
      empty={<NoMoney wallet={read.data.value?.wallet ?? 0} />}
      detail={(data) => {
        const opened = openedOf(data?.items);
        return opened ? <PostingDetail posting={opened} /> : null;
      }}
    >
      {(posting) => <PostingRow posting={posting} />}
    </ListScreen>
  );
}

const NoMoney = ({ wallet }: { wallet: number }) => (
  <Empty title="No money has moved yet">
    <p>
      The wallet that pays for calls holds NGN {formatAmount(wallet)}. Payments, payouts and refunds of the
      business appear here.
    </p>
    <LoadDemo />
  </Empty>
);

interface OverviewProps {
  postings: readonly Posting[];
  opened: Posting | undefined;
  fees: number;
  wallet: number;
}

function Overview({ postings, opened, fees, wallet }: OverviewProps) {
  /** Entry that the pointer or the keyboard has chosen. */
  const pointed = useSignal<string | null>(null);
  const newest = postings[0] as Posting;
  const shown = postings.find(({ id }) => id === pointed.value) ?? opened ?? newest;
  const before = postings[postings.indexOf(shown) + 1];
  return (
    <section class="money" aria-label="Balances">
      <p>
        <b>{shown === newest ? "Now" : `${formatTime(shown.at)} UTC, ${formatDay(shown.at)}`}</b>{" "}
        <a href={href(["records", shown.record])}>{shown.what}</a>
      </p>
      <Legend shown={shown} before={before} />
      <Chart
        postings={postings}
        shown={shown}
        onShow={({ id }) => {
          pointed.value = id;
        }}
      />
      <p class="soft">
        Amounts in NGN. Fees charged so far: {formatAmount(fees)}. Wallet that pays for calls:{" "}
        {formatAmount(wallet)}.
      </p>
    </section>
  );
}

/** Balances that have a column. */
const columns = ["available", "pending", "held"] as const;

/** Names the columns of the list. A narrow screen names them in each row. */
const PostingHead = () => (
  <div class="posting posting-head" aria-hidden="true">
    <span>Time</span>
    <span>Who and what</span>
    {columns.map((name) => (
      <span key={name} class="posting-change">
        {name}
      </span>
    ))}
  </div>
);

/** Row of a posting: the person, the reason, and the change of the merchant's money. */
const PostingRow = ({ posting: { at, what, amounts } }: { posting: Posting }) => (
  <span class="posting">
    <time>{formatTime(at)}</time>
    <span class="cut" title={what}>
      {what}
    </span>
    {columns.map((name) => {
      const change = amounts[name];
      return (
        <span key={name} class={change === undefined ? "posting-change none" : "posting-change"}>
          {change !== undefined && (
            <>
              <span class="soft posting-name">{name} </span>
              {formatChange(change)}
            </>
          )}
        </span>
      );
    })}
  </span>
);

const PostingDetail = ({ posting: { at, record, what, amounts, after } }: { posting: Posting }) => (
  <Detail
    title={what}
    back={hrefHere()}
    actions={
      <a class="button" href={href(["activity", record])}>
        Cause and effect
      </a>
    }
  >
    <FactList
      rows={[
        ["At", `${formatTime(at)} UTC, ${formatDay(at)}`],
        ["Record", <a href={href(["records", record])}>{record}</a>],
      ]}
    />
    <Section title="What it moved, in NGN">
      <Amounts rows={Object.entries(amounts).map(([name, change]) => [name, formatChange(change)])} />
    </Section>
    <Section title="Balances after it, in NGN">
      <Amounts rows={Object.entries(after).map(([name, value]) => [name, formatAmount(value)])} />
    </Section>
  </Detail>
);

const Amounts = ({ rows }: { rows: readonly (readonly [name: string, amount: string])[] }) => (
  <table class="table counted">
    <tbody>
      {rows.map(([name, amount]) => (
        <tr key={name}>
          <th scope="row">{formatName(name)}</th>
          <td>{amount}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
