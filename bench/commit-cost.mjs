/** Measures commits with few and with many stored records, alternately. Arguments: store, few, many, address. Prints µs per commit. */
import { median } from "./figures.mjs";
import { tempFolder } from "./folders.mjs";
import { loadWorld } from "./world.mjs";

const [storeName, few, many, address] = process.argv.slice(2);
const rounds = 15;
const commits = 2_000;
/** Commits per turn of the event loop. The file store writes once per turn. */
const commitsPerTurn = 32;

const { World, FileStore, PostgresStore, memoryStore, machines, sendPhoneCode, accountId } =
  await loadWorld();
const warn = (message) => process.stderr.write(`${message}\n`);
const openStore = {
  file: () => FileStore.open({ folder: tempFolder(), durability: "process", version: "bench", warn }),
  postgres: () => PostgresStore.open({ address, warn }),
  memory: () => memoryStore,
};
const store = await openStore[storeName]();
const world = new World({ store, seed: "bench", machines, jobs: {}, warn });

const start = (account) =>
  account.commit("api", () => {
    account.wallet.charge("phone_code", 0);
    sendPhoneCode(account);
  });

/** Opens an account with `count` verifications and their expiry jobs, loaded as from a store: copies of a real one. */
async function filled(key, count) {
  const account = await world.open(accountId(key));
  start(account);
  const { state } = account;
  const [id] = state.ids({ name: "phone_verification" });
  const [jobId] = state.ids({ name: "jobs" });
  const [text, job] = [state.text({ name: "phone_verification" }, id), state.text({ name: "jobs" }, jobId)];
  for (let i = 0; i < count; i++) {
    const copy = `phv_${String(i).padStart(20, "0")}`;
    state.load("phone_verification", copy, Buffer.from(text.replaceAll(id, copy)).toString());
    state.load("jobs", jobId.replace(id, copy), Buffer.from(job.replaceAll(id, copy)).toString());
  }
  account.jobs.reload();
  return account;
}

async function cost(account) {
  const started = performance.now();
  for (let i = 0; i < commits; i += commitsPerTurn) {
    for (let j = 0; j < commitsPerTurn; j++) start(account);
    await account.safe();
  }
  return ((performance.now() - started) / commits) * 1_000;
}

const small = [];
const large = [];
const big = await filled("bench_with_many", Number(many));
for (let warmUp = 0; warmUp < 3; warmUp++) await cost(big);
for (let round = 0; round < rounds; round++) {
  small.push(await cost(await filled(`bench_with_few_${round}`, Number(few))));
  large.push(await cost(big));
}
process.stdout.write(JSON.stringify({ withFew: median(small), withMany: median(large) }));
process.exit();
