/** Imports run one way: cli → sandbox → server, control, scenarios → service, webhooks → contract, world. */
const layer = (name, path, allowed) => ({
  name,
  severity: "error",
  comment: `${path} may import from ${allowed.join(", ") || "nothing else"}`,
  from: { path: `^src/${path}` },
  to: { path: "^src/", pathNot: [path, ...allowed].map((folder) => `^src/${folder}`) },
});

export default {
  forbidden: [
    layer("contract-knows-nothing", "contract/", []),
    layer("world-knows-no-endpoint", "world/", []),
    layer("tools-know-files", "tools/", ["world/time\\.ts"]),
    layer("service-knows-contract-and-world", "service/", ["tools/", "contract/", "world/"]),
    layer("webhooks-know-contract-and-world", "webhooks/", ["contract/", "world/"]),
    layer("scenarios-know-the-service", "scenarios/", ["service/", "contract/", "world/"]),
    layer("server-knows-no-endpoint", "server/", ["scenarios/", "contract/", "world/"]),
    layer("pact-knows-states", "pact/", ["library/", "scenarios/", "service/", "contract/", "world/"]),
    layer("control-steers", "control/", [
      "pact/",
      "scenarios/",
      "service/",
      "webhooks/",
      "contract/",
      "world/",
    ]),
    layer("pages-show", "pages/", ["service/", "contract/", "world/"]),
    layer("library-goes-over-http", "library/", ["scenarios/", "world/time\\.ts"]),
    layer("composition-knows-no-command", "(sandbox|contracts|index|housekeeping|first-call|options)\\.ts", [
      "[^/]+\\.ts",
      "server/",
      "control/",
      "pact/",
      "scenarios/",
      "service/",
      "tools/",
      "webhooks/",
      "pages/",
      "library/",
      "contract/",
      "world/",
    ]),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
