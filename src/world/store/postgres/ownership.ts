/**
 * Acquires and releases accounts. An account is free when no replica's row has the id that the account names as owner. A
 * replica acquires accounts only while its own row exists: each statement that names an owner locks the owner's row.
 */
import { realNow } from "../../../time/time.js";
import { LeaseExpired, OwnedElsewhere, StoreError } from "../store.js";
import type { Database } from "./database.js";
import { inTransaction } from "./migrations.js";

export interface Ownership {
  id: string;
  epoch: string;
  /** Version of the document. */
  document: string;
  /** Sequence of the last line that the document contains. */
  folded: number;
  /** Real time in ms at which the account was last known to be in use before it was acquired. */
  lastUsed: number;
}

interface Found {
  /** Whether this replica's own row exists. */
  own: boolean;
  owner: string | null;
  /** Epoch of the account. Null if the account does not exist. */
  epoch: string | null;
  /** Whether the owner's row exists, and whether its lease has not expired. */
  registered: boolean;
  live: boolean;
  url: string | null;
  /** Time in ms since it was last known to be in use. */
  unused: number;
}

/** Number of times that others may take or release the account while this replica tries to acquire it. */
const maxTries = 20;
/** Maximum number of due accounts acquired at a time, so that the other replicas get their share. */
const maxClaimed = 50;

/** Acquires the account for the replica `own`. Rejects with OwnedElsewhere if another one has it. */
export async function acquire({ pool }: Database, id: string, own: string): Promise<Ownership> {
  for (let tries = 0; tries < maxTries; tries++) {
    const created = await pool.query({ name: "create", text: creation, values: [id, own] });
    if (created.rows[0])
      return { id, epoch: created.rows[0].epoch, document: "0", folded: 0, lastUsed: realNow() };
    const found = (await pool.query<Found>({ name: "look", text: look, values: [id, own] })).rows[0] as Found;
    const { owner, epoch, registered, live, url, unused } = found;
    if (!found.own) throw new LeaseExpired();
    if (epoch === null) continue;
    const lastUsed = realNow() - unused;
    if (registered && owner !== own) {
      if (live) throw new OwnedElsewhere(id, owner as string, url);
      if ((await pool.query(fencing, [owner])).rowCount === 0) continue;
    }
    // Each change of the owner changes the epoch. If the epoch is the same, the account is still free.
    const { rows } = await pool.query({ name: "take", text: takeOver, values: [id, own, epoch] });
    if (rows[0]) return { ...rows[0], id, folded: Number(rows[0].folded), lastUsed };
  }
  throw new StoreError(`${id} is acquired by other replicas at the same time`);
}

/** Keeps the replica's row from being deleted until the end of the statement, which does nothing if there is no such row. */
const ownRow = "own AS MATERIALIZED (SELECT id FROM standin_replica WHERE id = $2 FOR KEY SHARE)";
const creation = `WITH ${ownRow}
  INSERT INTO standin_account (id, owner, epoch) SELECT $1, own.id, nextval('standin_epoch') FROM own
  ON CONFLICT (id) DO NOTHING RETURNING epoch`;
const look = `SELECT EXISTS (SELECT FROM standin_replica WHERE id = $2) AS own,
    a.owner, a.epoch, r.id IS NOT NULL AS registered, r.lease_until > clock_timestamp() AS live, r.url,
    (extract(epoch FROM clock_timestamp() - a.used_at) * 1000)::double precision AS unused
  FROM (SELECT $1::text AS id) given LEFT JOIN standin_account a ON a.id = given.id
    LEFT JOIN standin_replica r ON r.id = a.owner`;
/** Waits for a renewal in progress, and then compares the lease that it has written. A deleted row never comes back. */
const fencing = "DELETE FROM standin_replica WHERE id = $1 AND lease_until <= clock_timestamp()";
const takeOver = `WITH ${ownRow}
  UPDATE standin_account a SET owner = own.id, epoch = nextval('standin_epoch'), used_at = clock_timestamp() FROM own
  WHERE a.id = $1 AND a.epoch = $3 RETURNING a.epoch, a.document, a.folded`;

/**
 * Gives accounts that are due soon and that no replica has to the replica `own`, which acquires each of them when it
 * opens it. The locks keep the owners as they are until the second statement, which sees every replica that could be
 * one.
 */
export async function claimDue(
  { pool }: Database,
  own: string,
  until: number,
): Promise<(readonly [id: string, due: number])[]> {
  await pool.query("DELETE FROM standin_replica WHERE lease_until <= clock_timestamp()");
  let claimed: { id: string; due_at: string }[] = [];
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query({ name: "due", text: dueFree, values: [until, maxClaimed] });
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id as string);
    claimed = (await client.query({ name: "claim", text: claim, values: [ids, own] })).rows;
  }).catch((error: unknown) => {
    // It is unknown whether the claims were committed. Opening the accounts is right in both cases.
    if (claimed.length === 0) throw error;
  });
  return claimed.map(({ id, due_at }) => [id, Number(due_at)] as const);
}

const isFree = "NOT EXISTS (SELECT FROM standin_replica r WHERE r.id = a.owner)";
/**
 * Needs no lock order, because it skips locked accounts instead of waiting. `claim` changes the accounts that this
 * locks.
 */
const dueFree = `SELECT a.id FROM standin_account a WHERE a.due_at <= $1 AND ${isFree}
  ORDER BY a.due_at LIMIT $2 FOR UPDATE SKIP LOCKED`;
const claim = `WITH ${ownRow}
  UPDATE standin_account a SET owner = own.id, epoch = nextval('standin_epoch') FROM own
  WHERE a.id = ANY($1) AND ${isFree} RETURNING a.id, a.due_at`;

export interface Released {
  id: string;
  epoch: string;
  /** Undefined if the noted time is still right. */
  due: number | null | undefined;
  /** Whether nothing was ever stored, or everything is to be deleted. */
  isGone: boolean;
}

/** Makes accounts free again. Accounts that another replica has taken in the meantime stay as they are. */
export async function release({ pool }: Database, released: readonly Released[]): Promise<void> {
  const gone = released.filter(({ isGone }) => isGone);
  const stored = released.filter(({ isGone }) => !isGone);
  const idsOf = (list: readonly Released[]) => list.map(({ id }) => id);
  const epochsOf = (list: readonly Released[]) => list.map(({ epoch }) => epoch);
  if (gone.length > 0) await pool.query(removal, [idsOf(gone), epochsOf(gone)]);
  if (stored.length === 0) return;
  const due = stored.map((released) => (released.due === undefined ? "same" : String(released.due)));
  await pool.query(freeing, [idsOf(stored), epochsOf(stored), due]);
}

/**
 * Locks the given accounts in the order of their ids, like every statement that waits for several, which prevents
 * deadlocks.
 */
const heldOf = (strength: string): string => `held AS MATERIALIZED (
    SELECT a.id, a.epoch FROM standin_account a JOIN unnest($1::text[], $2::bigint[]) AS g(id, epoch)
      ON a.id = g.id AND a.epoch = g.epoch
    ORDER BY a.id FOR ${strength} OF a
  )`;
const removal = `WITH ${heldOf("UPDATE")}, gone AS (
    DELETE FROM standin_account a USING held WHERE a.id = held.id RETURNING a.id
  ), lines AS (DELETE FROM standin_journal j USING gone WHERE j.account = gone.id)
  DELETE FROM standin_document d USING gone WHERE d.account = gone.id`;
const freeing = `WITH ${heldOf("NO KEY UPDATE")}
  UPDATE standin_account a
  SET owner = NULL, used_at = clock_timestamp(),
    due_at = CASE g.due WHEN 'same' THEN a.due_at WHEN 'null' THEN NULL ELSE g.due::bigint END
  FROM held JOIN unnest($1::text[], $2::bigint[], $3::text[]) AS g(id, epoch, due)
    ON held.id = g.id AND held.epoch = g.epoch
  WHERE a.id = held.id`;

/** Advisory lock that lets one replica admit at a time. */
const admissionLock = 7_241_903_656;

/**
 * Gives an account a place if at most `max` then have one, and returns whether it has one. Accounts that were ever written
 * have a place, and admitted ones until their replica releases or loses them. A row alone exists as soon as an account is
 * looked at by its key.
 */
export const admit = ({ pool }: Database, id: string, max: number): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [admissionLock]);
    const { rows } = await client.query({ name: "places", text: places, values: [id] });
    const { own, others } = rows[0] as { own: boolean; others: string };
    if (own || Number(others) >= max) return own;
    await client.query("UPDATE standin_account SET admitted = true WHERE id = $1", [id]);
    return true;
  });

const places = `SELECT coalesce(bool_or(a.id = $1), false) AS own, count(*) AS others FROM standin_account a
  WHERE a.document <> 0 OR EXISTS (SELECT FROM standin_journal j WHERE j.account = a.id)
    OR (a.admitted AND NOT ${isFree})`;

/** Records that accounts of the replica `own` are in use now, in case it is killed before it releases them. */
export async function noteUse({ pool }: Database, own: string): Promise<void> {
  await pool.query(noting, [own]);
}

const noting = `WITH held AS MATERIALIZED (
    SELECT id FROM standin_account WHERE owner = $1 AND used_at < clock_timestamp() - interval '1 min'
    ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE standin_account a SET used_at = clock_timestamp() FROM held WHERE a.id = held.id`;

/** Returns the ids of accounts that no replica has, and that were not in use for `ms`. */
export async function findUnused({ pool }: Database, ms: number): Promise<string[]> {
  const { rows } = await pool.query(unused, [ms]);
  return rows.map(({ id }) => id as string);
}

const unused = `SELECT a.id FROM standin_account a
  WHERE a.used_at <= clock_timestamp() - $1 * interval '1 ms' AND ${isFree}`;
