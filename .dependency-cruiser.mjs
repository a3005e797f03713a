/** Each room of src and the rooms that it may import from. Imports run one way, type imports included. */
const rooms = {
  time: [],
  contract: [],
  "world/store": ["time", "contract"],
  "world/store/postgres": ["time", "contract", "world/store"],
  "world/jobs": ["time", "contract", "world/store"],
  "world/activity": ["time", "contract", "world/store", "world/jobs"],
  "world/records": ["time", "contract", "world/store", "world/jobs", "world/activity"],
  "world/money": ["time", "contract", "world/store", "world/records"],
  "world/webhooks": [
    "time",
    "contract",
    "world/store",
    "world/jobs",
    "world/activity",
    "world/records",
    "world/account",
  ],
  "world/account": [
    "time",
    "contract",
    "world/store",
    "world/jobs",
    "world/activity",
    "world/records",
    "world/money",
    "world/webhooks",
  ],
  "world/snapshot": ["time", "contract", "world/store", "world/jobs", "world/records", "world/account"],
  world: ["time", "contract"],
  "file-tools": ["time", "contract"],
  service: ["time", "contract", "world", "file-tools"],
  rules: ["time", "contract", "world"],
  scenarios: ["time", "contract", "world", "service", "rules"],
  exam: ["time", "contract", "world", "service", "rules"],
  server: ["time", "contract", "world", "rules"],
  control: ["time", "contract", "world", "service", "rules", "exam/conduct", "scenarios", "pact"],
  documents: [
    "time",
    "contract",
    "world",
    "service",
    "scenarios",
    "server",
    "control",
    "client",
    "pact",
    "exam",
  ],
  "receiver-check": ["time", "contract", "world", "service"],
  client: ["time", "contract", "world", "service", "rules", "scenarios", "control"],
  pact: ["time", "contract", "world", "service", "rules", "scenarios", "client"],
  drift: ["time", "contract", "world", "service", "scenarios", "pact"],
  pages: ["time", "contract", "world", "service", "rules", "server", "control", "documents", "client"],
  ui: ["time", "contract", "scenarios", "control", "documents/story", "client"],
  cli: [
    "time",
    "contract",
    "world",
    "service",
    "rules",
    "scenarios",
    "server",
    "control",
    "documents",
    "receiver-check",
    "client",
    "pact",
    "drift",
    "exam",
    "index\\.ts",
    "sandbox\\.ts",
  ],
};

/** Files that stand in no room: what the package offers, and what composes a sandbox. */
const loose = "^src/(?:index|playwright|sandbox)\\.ts$";

const isIn = (room) => (room.endsWith("\\.ts") ? `^src/${room}$` : `^src/${room}/`);

/** Rooms inside a room have rules of their own. */
const innerRooms = (room) => Object.keys(rooms).filter((other) => other.startsWith(`${room}/`));

const rules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `${room.replaceAll("/", "-")}-imports`,
  severity: "error",
  comment: `src/${room} imports ${allowed.join(", ") || "nothing else"}`,
  from: { path: isIn(room), pathNot: innerRooms(room).map(isIn) },
  to: { path: "^src/", pathNot: [room, ...allowed].map(isIn) },
}));

/** What goes over HTTP takes only types from the code that answers. */
const overHttp = (room, values) => ({
  name: `${room}-goes-over-http`,
  severity: "error",
  comment: `src/${room} imports values from ${values.join(", ")} alone`,
  from: { path: isIn(room) },
  to: {
    path: "^src/",
    pathNot: [room, ...values].map(isIn),
    dependencyTypesNot: ["type-only"],
  },
});

export default {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      comment: "No import cycles, type imports included",
      from: {},
      to: { circular: true },
    },
    {
      name: "every-file-has-a-room",
      severity: "error",
      comment: "Only index.ts, playwright.ts and sandbox.ts stand loose in src",
      from: { path: "^src/", pathNot: [...Object.keys(rooms).map(isIn), loose] },
      to: {},
    },
    {
      name: "composition-knows-no-command",
      severity: "error",
      comment: "The sandbox and the library know no command and no browser code",
      from: { path: loose },
      to: { path: "^src/(cli|ui)/" },
    },
    ...rules,
    overHttp("ui", ["time", "contract", "documents/story", "client"]),
    overHttp("client", ["time", "contract", "service", "rules", "scenarios"]),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
  },
};
