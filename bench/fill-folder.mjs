/** Fills a data folder with accounts of one phone verification each. Arguments: folder, count. */
import { loadWorld } from "./world.mjs";

const [folder, count] = process.argv.slice(2);
const { World, FileStore, machines, sendPhoneCode, accountId } = await loadWorld();
const warn = (message) => process.stderr.write(`${message}\n`);
const store = await FileStore.open({ folder, durability: "process", version: "bench", warn });
const world = new World({ store, seed: "bench", machines, jobs: {}, warn });
for (let i = 0; i < Number(count); i++) {
  const account = await world.open(accountId(`svc_test_bench_${i}`));
  account.commit("api", () => sendPhoneCode(account));
  if (i % 256 === 255) await account.safe();
}
await world.close();
process.exit();
