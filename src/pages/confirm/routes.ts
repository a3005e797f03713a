/** GET and POST /confirm/{account}/{id}: forms post to the page itself and lead back to it. */
import type { Request, Response, Router } from "express";
import type { OperationCall, OperationInput } from "../../contract/operation.js";
import type { UploadedFile } from "../../contract/upload.js";
import { moved } from "../../service/address/distance.js";
import { addressCheck, positionOf } from "../../service/address/machine.js";
import type { Account } from "../../world/account.js";
import { leadsNowhere, sendProblem } from "../hosted/errors.js";
import { sendHosted } from "../hosted/page.js";
import type { Problem } from "../hosted/problem.js";
import { hostedRoutes } from "../hosted/routes.js";
import { confirmPage, type Proof, type Refused } from "./page.js";
import { type Check, stateOf } from "./state.js";

export interface ConfirmOptions {
  /** Null for an account that nobody uses. */
  findAccount(id: string, baseUrl: string): Promise<Account | null>;
  /** Runs an operation as a request to the API would. */
  call(account: Account, operationId: string, input: OperationCall): Promise<unknown>;
  /** Reads the multipart form that the operation takes. */
  readForm(
    operationId: string,
    request: Request,
    response: Response,
  ): Promise<{ fields: Record<string, unknown>; files: Record<string, UploadedFile> }>;
  /** What was thrown, as the API would answer it. */
  explain(error: unknown): Problem;
}

interface Found {
  account: Account;
  check: Check;
}

export const confirmRoutes = (options: ConfirmOptions): Router =>
  hostedRoutes({
    root: "/confirm",
    below: "/:account/:id",
    pages: new ConfirmPages(options),
    explain: options.explain,
  });

class ConfirmPages {
  constructor(readonly options: ConfirmOptions) {}

  async show(request: Request, response: Response, refused: Refused | null = null): Promise<void> {
    const found = await this.#find(request);
    if (!found) return sendProblem(response, leadsNowhere);
    const { account, check } = found;
    await account.safe();
    const now = account.clock.now();
    const status = refused?.status ?? (stateOf(check, now) === "expired" ? 410 : 200);
    response.set(refused?.headers ?? {});
    sendHosted(response, status, confirmPage(check, now, refused));
  }

  async submit(request: Request, response: Response): Promise<void> {
    const found = await this.#find(request);
    if (!found) return sendProblem(response, leadsNowhere);
    // Until the form is read: what cannot be read is a file most of the time.
    let proof: Proof = "document";
    try {
      const { fields, files } = await this.options.readForm(operations.document, request, response);
      proof = fields.proof === "location" ? "location" : "document";
      const input = proof === "location" ? { body: locationIn(fields, found.check) } : { files };
      await this.#call(found, operations[proof], input);
    } catch (error) {
      // Nobody is there any more to be told.
      if (request.destroyed && !request.complete) return;
      return this.show(request, response, { ...this.options.explain(error), proof });
    }
    response.redirect(303, `./${encodeURIComponent(found.check.id)}`);
  }

  async #call({ account, check }: Found, operationId: string, input: OperationInput): Promise<void> {
    await this.options.call(account, operationId, { params: { id: check.id }, actor: "page", ...input });
    await account.safe();
  }

  async #find({ params, context }: Request): Promise<Found | null> {
    const account = await this.options.findAccount(String(params.account), context.baseUrl);
    const check = account?.records.get(addressCheck, String(params.id));
    return account && check ? { account, check } : null;
  }
}

const operations = { location: "submitAddressLocation", document: "submitAddressDocument" } as const;

/** Metres from the address at which someone who says so is elsewhere; twice the radius where that is farther. */
const elsewhere = 5_000;
/** From here to there is another state at least, and still on the map. */
const farthest = 1_000_000;

/** Where an address lies of which nobody knows where: any spot will do, none comes to points. */
const unknown = { latitude: 9.057, longitude: 7.4951 };

/** What the form says, as a phone would send it. The buttons work where no device tells its location. */
function locationIn(fields: Readonly<Record<string, unknown>>, check: Check): Record<string, unknown> {
  const address = positionOf(check) ?? unknown;
  if (fields.at === "address") return { ...address, accuracy_m: 10 };
  const away = Math.min(Math.max(elsewhere, 2 * check.radius_m), farthest);
  if (fields.at === "elsewhere") return { ...moved(address, away, Math.PI / 3), accuracy_m: 20 };
  return {
    latitude: numberIn(fields.latitude),
    longitude: numberIn(fields.longitude),
    accuracy_m: numberIn(fields.accuracy_m),
  };
}

/** An empty field is a missing one; what is no number is for validation to name. */
const numberIn = (text: unknown): unknown =>
  text === undefined || text === "" ? undefined : Number.isNaN(Number(text)) ? text : Number(text);
