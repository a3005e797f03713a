/** Checks of the sizes of uploads. */
import { serviceOperations } from "../../service/index.js";
import { groupOf } from "../groups.js";
import type { DriftCheck } from "./check.js";
import { fileHeads } from "./file-heads.js";
import { firstValues, validRequest } from "./records.js";
import { answerOf } from "./refusal-facts.js";

const kilobyte = new Uint8Array(1_024);
const megabyte = new Uint8Array(1_024 * 1_024);

/** Sends a file of 1 KB more than each operation takes. */
export const uploadLimits = (): DriftCheck[] =>
  serviceOperations.flatMap((operation) => {
    const { id, upload = {}, body } = operation;
    const [[field, accepted] = []] = Object.entries(upload);
    const type = accepted?.types?.find((one) => fileHeads[one]);
    if (!field || !accepted || !type) return [];
    return {
      id: `limit.${id}.${field}.size`,
      kind: "limit",
      group: groupOf(operation),
      about: `a file of more than ${accepted.maxMB} MB`,
      operations: [id],
      calls: 1,
      slow: true,
      async observe(side) {
        const head = Buffer.from(fileHeads[type] ?? "", "latin1");
        const bytes = [head, ...Array.from({ length: accepted.maxMB }, () => megabyte), kilobyte];
        const { params = {} } = await validRequest(side, id);
        const texts = body ? { body: firstValues(operation) } : {};
        const files = { [field]: new File(bytes, "standin-drift", { type }) };
        const reply = await side.service.call(id, { params, ...texts, files });
        return { answer: answerOf(reply) };
      },
    } satisfies DriftCheck;
  });
