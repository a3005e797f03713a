/** An HTTP client with one keep-alive connection, for single timed requests. */
import { Agent, request } from "node:http";

const requestTimeoutMs = 120_000;

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url, key = "svc_test_demo") {
    this.url = url;
    this.key = key;
  }

  /** Resolves to the reply's JSON body. Rejects unless the status is 2xx. */
  call(method, path, body, key = this.key) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(
        this.url + path,
        {
          method,
          agent: this.#agent,
          timeout: requestTimeoutMs,
          headers: {
            "x-service-key": key,
            ...(text
              ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
              : {}),
          },
        },
        (reply) => {
          const chunks = [];
          reply.on("data", (chunk) => chunks.push(chunk));
          reply.on("end", () => {
            const answer = Buffer.concat(chunks).toString();
            if (reply.statusCode < 300) resolve(answer === "" ? null : JSON.parse(answer));
            else reject(new Error(`${method} ${path}: ${reply.statusCode} ${answer.slice(0, 300)}`));
          });
        },
      );
      sent.on("timeout", () => sent.destroy(new Error(`${method} ${path} did not answer in time`)));
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** Resolves to the duration of the call, in ms. */
  async time(method, path, body, key) {
    const started = performance.now();
    await this.call(method, path, body, key);
    return performance.now() - started;
  }

  close() {
    this.#agent.destroy();
  }
}

/** Resets the account and gives it enough money for any bench. */
export async function freshWallet(url, key) {
  const client = new Client(url, key);
  await client.call("POST", "/_sandbox/reset");
  await client.call("PATCH", "/_sandbox/account", { balance: 1e11 });
  client.close();
}
