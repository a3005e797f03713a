/** The upper limit of deliveries: an undici Pool with 64 connections and a signature per POST. GET /run?url=&count= runs it. */
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { Pool } from "undici";
import { printReady } from "./answers.mjs";

const connections = 64;
const body = JSON.stringify({
  id: "evt_00000000000000000000",
  event: "payout.paid",
  created_at: new Date().toISOString(),
  is_test: true,
  data: { id: "po_00000000000000000000", status: "paid", amount: 7000, fee: 50 },
});
const secret = "whsec_00000000000000000000000000000000";

async function run(url, count) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      const headers = { "content-type": "application/json", "X-Service-Signature": signature };
      const reply = await pool.request({ path: pathname, method: "POST", headers, body });
      await reply.body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.close();
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, "http://localhost");
  await run(searchParams.get("url"), Number(searchParams.get("count")));
  response.end("{}");
});
server.listen(0, "127.0.0.1", () => printReady(server));
