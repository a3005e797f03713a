/** Measures the file tools, and how much conversions slow down other requests. */
import sharp from "sharp";
import { Client } from "./client.mjs";
import { interleaved, median, row } from "./figures.mjs";
import { startStandin } from "./servers.mjs";

const rounds = 3;
/** Sequential requests per round. */
const balances = 400;
/** Concurrent conversions. */
const conversions = 4;

export default async function tools() {
  const server = await startStandin();
  try {
    const pictures = await drawPictures();
    await convert(server, pictures[0]);
    return [...(await speeds(server, pictures)), ...(await latencies(server, pictures.at(-1)))];
  } finally {
    await server.stop("SIGKILL");
  }
}

/** Draws photos of a disc in front of a gradient. */
async function drawPictures() {
  const sizes = [
    [900, 700],
    [2000, 1500],
    [4000, 3000],
  ];
  const draw = async ([width, height]) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 900 700"><defs><linearGradient id="g"><stop stop-color="#f4f6f8"/><stop offset="1" stop-color="#c9ced6"/></linearGradient></defs><rect width="900" height="700" fill="url(#g)"/><circle cx="450" cy="350" r="210" fill="#b91c1c"/></svg>`;
    const photo = await sharp(Buffer.from(svg)).flatten().jpeg({ quality: 90 }).toBuffer();
    return { photo, megapixels: (width * height) / 1e6 };
  };
  return Promise.all(sizes.map(draw));
}

async function convert(server, { photo }, tool = "remove-background", fields = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set("file", new Blob([photo]), "photo.jpg");
  const headers = { "x-service-key": "svc_test_demo" };
  const reply = await fetch(`${server.url}/v1/tools/${tool}`, { method: "POST", headers, body });
  if (!reply.ok) throw new Error(`${tool}: ${reply.status} ${await reply.text()}`);
  return reply.arrayBuffer();
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function speeds(server, pictures) {
  const backgrounds = pictures.map((picture) => [
    `remove-background, ${picture.megapixels} MP`,
    () => timed(() => convert(server, picture)),
  ]);
  const assets = ["icon", "splash"].map((kind) => [
    `store-assets, ${kind}, both stores`,
    () => timed(() => convert(server, pictures[0], "store-assets", { kind, platform: "both" })),
  ]);
  const results = await interleaved(rounds, Object.fromEntries([...backgrounds, ...assets]));
  return Object.entries(results).map(([figure, times]) =>
    row({
      figure,
      unit: "ms",
      standin: median(times),
      reach: "< 60 s",
      reached: Math.max(...times) < 60_000,
    }),
  );
}

/** Compares the latency of GET balance alone with its latency during conversions. */
async function latencies(server, picture) {
  const client = new Client(server.url);
  const ask = () => client.time("GET", "/v1/balance");
  for (let i = 0; i < balances; i++) await ask();
  const alone = [];
  const beside = [];
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < balances; i++) alone.push(await ask());
    beside.push(...(await askWhile(ask, () => convert(server, picture))));
  }
  client.close();
  const line = (name, share) => {
    const [standin, quiet] = [beside, alone].map((times) => percentile(times, share));
    return row({
      figure: `GET balance, ${name}, ${conversions} conversions`,
      unit: "ms",
      standin,
      beside: quiet,
      besideIs: "with none",
      ...(name === "p99" ? { reach: "< 50 ms", reached: standin < 50 } : {}),
    });
  };
  return [
    line("median", 0.5),
    line("p99", 0.99),
    row({
      figure: `RSS after ${rounds * conversions} conversions of 12 MP`,
      unit: "MB",
      standin: server.rss,
    }),
  ];
}

async function askWhile(ask, work) {
  let running = conversions;
  const all = Array.from({ length: conversions }, () => work().finally(() => running--));
  const times = [];
  while (running > 0) times.push(await ask());
  await Promise.all(all);
  return times;
}

const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor(times.length * share)];
