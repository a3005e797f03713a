/**
 * Random sequences of everything that moves money, compared with a simple model after each command (model/*.ts).
 * A failure prints its seed: `MONEY_SEED=<seed> npm run test:long -- money` repeats the run, and `STANDIN_SHRINK=1` searches for a smaller case.
 */
import fc from "fast-check";
import { test } from "vitest";
import { propertyRuns, upTo } from "../../support/repetitions.js";
import { mustBeListed } from "./model/agreement.js";
import type { Business } from "./model/business.js";
import { anyCommand } from "./model/commands.js";
import { DirectBusiness, DirectWorld } from "./model/direct.js";
import { type Opening, openings, toTheEnd } from "./model/openings.js";
import { HttpBusiness, ProgramOnFolder } from "./model/over-http.js";
import { beginning, Sim } from "./model/sim.js";
import type { Command } from "./model/step.js";
import { Webhooks } from "./model/webhooks.js";

const seed = process.env.MONEY_SEED === undefined ? {} : { seed: Number(process.env.MONEY_SEED) };
const opening: fc.Arbitrary<Opening> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant("a new account" as const) },
  { weight: 3, arbitrary: fc.constant("a business that is ready" as const) },
  { weight: 4, arbitrary: fc.constant("a business with settled money" as const) },
  { weight: 4, arbitrary: fc.constant("a busy business" as const) },
);

interface Draw<B extends Business> {
  runs: ReturnType<typeof propertyRuns>;
  maxCommands: number;
  /** Weight of restarts. */
  restarting: number;
  /** Creates a new business for each run. */
  open(): Promise<B>;
  /** Checks at the end of a run. */
  end?(business: B, sim: Sim): Promise<void>;
}

/** Draws `runs` sequences and runs each; every command ends with all checks. */
async function drawSequences<B extends Business>({ runs, maxCommands, restarting, open, end }: Draw<B>) {
  const commands = fc.commands([anyCommand(restarting)], { maxCommands, size: "max" });
  const property = fc.asyncProperty(opening, commands, async (start, drawn) => {
    const real = await open();
    const model = new Sim(real);
    for (const step of openings[start] as readonly Command[]) await step.run(model, real);
    await fc.asyncModelRun(() => ({ model, real }), drawn);
    await mustBeListed(real, model.watch.events);
    await end?.(real, model);
  });
  await fc.assert(property, { ...runs, ...seed });
}

test("after any sequence of actions, every kobo is where the interface says", upTo(30), async () => {
  const world = new DirectWorld();
  let count = 0;
  const open = () => DirectBusiness.open(world, `money_property_${count++}`, beginning);
  await drawSequences({ runs: propertyRuns(50, 2_000), maxCommands: 50, restarting: 2, open });
});

test(
  "the same holds over HTTP and after kill -9, and every event arrives signed with its original bytes",
  upTo(30),
  async () => {
    const program = new ProgramOnFolder();
    let count = 0;
    const webhooks = new Map<HttpBusiness, Webhooks>();
    const open = async () => {
      const business = await HttpBusiness.open(program, `money_over_http_${count++}`, beginning);
      webhooks.set(business, await Webhooks.of(business));
      return business;
    };
    const end = async (business: HttpBusiness, sim: Sim) => {
      await toTheEnd.run(sim, business);
      const carried = webhooks.get(business);
      carried?.mustHaveCarried(sim.watch.events, sim.undone);
      if (sim.undone.length === 0) carried?.mustHaveSentOnce();
    };
    await drawSequences({ runs: propertyRuns(3, 30), maxCommands: 40, restarting: 3, open, end });
  },
);
