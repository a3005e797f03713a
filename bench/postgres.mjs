/** Starts the PostgreSQL server of the tests, or uses the server at STANDIN_TEST_POSTGRES, and creates a schema for a bench. */
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import pg from "pg";
import { tempFolder } from "./folders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs `measure` with the URL for `--store` and a pool on an empty schema. */
export async function withPostgres(measure) {
  const named = process.env.STANDIN_TEST_POSTGRES;
  const server = named ? null : await startServer();
  const schema = `standin_bench_${randomBytes(4).toString("hex")}`;
  const url = new URL(named ?? server.url);
  const pool = new pg.Pool({ connectionString: url.href, max: 1, options: `-c search_path=${schema}` });
  pool.on("error", () => {});
  try {
    await pool.query(`CREATE SCHEMA ${schema}`);
    url.searchParams.set("search_path", schema);
    return await measure({ url: url.href, pool });
  } finally {
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await pool.end();
    await server?.remove();
  }
}

async function startServer() {
  const source = join(root, "test/support/postgres-server.ts");
  const outfile = join(tempFolder(), "postgres-server.mjs");
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["pg-native"],
    // The server's programs and its certificate are found from the source file, and not from the bundle.
    define: {
      "import.meta.url": JSON.stringify(pathToFileURL(source).href),
      "import.meta.dirname": JSON.stringify(dirname(source)),
    },
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire("file:///");',
    },
    logLevel: "error",
  });
  const { createPostgresServer } = await import(pathToFileURL(outfile).href);
  return createPostgresServer();
}
