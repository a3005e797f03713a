import * as Type from "typebox";
import { controlRoutes } from "../contract/control-routes.js";
import { nullable, Timestamp } from "../contract/schemas.js";
import { operation } from "./operation.js";
import { items } from "./schemas.js";

const Replica = Type.Object({
  id: Type.String(),
  url: nullable(Type.String(), { description: "Address at which the other replicas reach it" }),
  started_at: Timestamp,
  lease_ms: Type.Integer({
    minimum: 0,
    description:
      "Time in ms until its lease ends, unless it renews it. Others may then take over its accounts",
  }),
  accounts: Type.Integer({ minimum: 0, description: "Number of accounts that it owns" }),
  answered: Type.Boolean({ description: "Whether this replica has answered the request" }),
});

export const getCluster = operation({
  id: "getCluster",
  route: controlRoutes.getCluster,
  summary: "List the replicas that share the store, in the order in which they started",
  description: "The list is empty in a sandbox without `--store`.",
  auth: "control",
  reply: { 200: items(Replica) },

  async handle({ sandbox: { world } }) {
    const { cluster } = world.options.store;
    const replicas = (await cluster?.replicas()) ?? [];
    return {
      items: replicas.map((replica) => ({ ...replica, answered: replica.id === cluster?.replicaId })),
    };
  },
});
