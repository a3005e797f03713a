/** The assumptions that concern every request, whatever its operation. The service adds the assumptions of its sections. */

import { resolveValues, type ValuesOf } from "./assumption.js";
import { errorRows } from "./errors.js";
import { accessRows, requestRows } from "./requests.js";

export const generalAssumptions = [...errorRows, ...requestRows, ...accessRows] as const;

type GeneralAssumption = (typeof generalAssumptions)[number];
export type GeneralAssumptionId = GeneralAssumption["id"];
/** The values in force of those that can be switched. */
export type GeneralAssumptions = ValuesOf<GeneralAssumption>;

export const generalDefaults: GeneralAssumptions = resolveValues(generalAssumptions, []);
