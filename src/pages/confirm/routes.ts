/** Routes of /confirm/{account}/{id}. */
import type { Request, Response, Router } from "express";
import type { OperationCall } from "../../contract/operation.js";
import type { UploadedFile } from "../../contract/upload.js";
import { addressCheck, positionOf } from "../../service/address/check.js";
import { moved } from "../../service/address/score.js";
import type { Account } from "../../world/account/account.js";
import type { PageProblem } from "../hosted/problem.js";
import { hostedRoutes } from "../hosted/routes.js";
import { confirmPage, confirmState, type Proof, type RefusedConfirmation, type ShownCheck } from "./page.js";

export interface ConfirmRoutesOptions {
  /** Returns null for an account that does not exist. */
  findAccount(id: string, baseUrl: string): Promise<Account | null>;
  /** Runs an operation as a request to the API would. */
  call(account: Account, operationId: string, input: OperationCall): Promise<unknown>;
  /** Reads the multipart form of the operation. */
  readForm(
    operationId: string,
    request: Request,
    response: Response,
  ): Promise<{ fields: Record<string, unknown>; files: Record<string, UploadedFile> }>;
  /** Returns an error as the API would answer it. */
  explain(error: unknown): PageProblem;
}

interface Found {
  account: Account;
  id: string;
  check: ShownCheck;
}

export const confirmRoutes = (options: ConfirmRoutesOptions): Router =>
  hostedRoutes<Found, RefusedConfirmation>({
    root: "/confirm",
    params: "/:account/:id",
    explain: options.explain,

    async find({ params, context }) {
      const account = await options.findAccount(String(params.account), context.baseUrl);
      const check = account?.records.get(addressCheck, String(params.id));
      return account && check ? { account, id: check.id, check } : null;
    },

    render({ account, check }, _request, refused) {
      const now = account.clock.now();
      const status = confirmState(check, now) === "expired" ? 410 : 200;
      return { page: confirmPage(check, now, refused), status };
    },

    async submit({ account, id, check }, request, response) {
      // Assumed until the form is read: most forms that cannot be read have a file.
      let proof: Proof = "document";
      try {
        const { fields, files } = await options.readForm(operations.document, request, response);
        proof = fields.proof === "location" ? "location" : "document";
        const input = proof === "location" ? { body: locationOf(fields, check) } : { files };
        await options.call(account, operations[proof], { params: { id }, actor: "page", ...input });
        await account.safe();
        return null;
      } catch (error) {
        return { ...options.explain(error), proof };
      }
    },
  });

const operations = { location: "submitAddressLocation", document: "submitAddressDocument" } as const;

/** Distance from the address of "I am elsewhere", in metres: at least twice the radius, within these limits. */
const minElsewhereM = 5_000;
const maxElsewhereM = 1_000_000;

/** Arbitrary position for an address that was not found, where no position gets points. */
const anyPosition = { latitude: 9.057, longitude: 7.4951 };

/** Returns the location in the form, as a phone sends it, or the location that a button simulates. */
function locationOf(fields: Readonly<Record<string, unknown>>, check: ShownCheck): Record<string, unknown> {
  const address = positionOf(check) ?? anyPosition;
  if (fields.at === "address") return { ...address, accuracy_m: 10 };
  const distance = Math.min(Math.max(minElsewhereM, 2 * check.radius_m), maxElsewhereM);
  if (fields.at === "elsewhere") return { ...moved(address, distance, Math.PI / 3), accuracy_m: 20 };
  return {
    latitude: numberOf(fields.latitude),
    longitude: numberOf(fields.longitude),
    accuracy_m: numberOf(fields.accuracy_m),
  };
}

/** Returns undefined for an empty field, and leaves text that is not a number to validation. */
const numberOf = (text: unknown): unknown =>
  text === undefined || text === "" ? undefined : Number.isNaN(Number(text)) ? text : Number(text);
