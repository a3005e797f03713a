/** An example client: a signup flow with phone, BVN, document, selfie and address. */

interface Outcome {
  status: string;
}

export interface SignupEvent {
  event: string;
  data: { type: string; status: string };
}

/** The service refused a request; the message is its error code. */
export class Refused extends Error {}

export class Signup {
  /** Results of asynchronous checks by type. */
  readonly ended = new Map<string, string>();

  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async sendCode(phone: string): Promise<string> {
    const sent = await this.#post<{ id: string }>("/v1/phone/verify/start", { phone, reference: "signup-1" });
    return sent.id;
  }

  async isRightCode(id: string, code: string): Promise<boolean> {
    return (await this.#post<{ verified: boolean }>("/v1/phone/verify/check", { id, code })).verified;
  }

  /** Resolves to whether the BVN belongs to the person; null if it is unknown. */
  async hasBvn(bvn: string, first_name: string, last_name: string): Promise<boolean | null> {
    const person = { bvn, phone_number: "+2348031234567", first_name, last_name };
    const { status, match } = await this.#post<Outcome & { match: boolean }>("/v1/verify/bvn", person);
    return status === "not_found" ? null : match;
  }

  async hasNin(nin: string, first_name: string, last_name: string): Promise<boolean> {
    const person = { nin, first_name, last_name };
    return (await this.#post<{ match: boolean }>("/v1/verify/nin", person)).match;
  }

  async nameOnDocument(form: Buffer, type: string): Promise<string> {
    const { data } = await this.#post<{ data: { full_name: string } }>("/v1/verify/document", form, type);
    return data.full_name;
  }

  /** A score of 75 or more is live. */
  async isLive(form: Buffer, type: string): Promise<boolean> {
    const checked = await this.#post<{ confidence_score: number }>("/v1/verify/liveness", form, type);
    return checked.confidence_score >= 75;
  }

  async isSameFace(form: Buffer, type: string): Promise<boolean> {
    return (await this.#post<{ match: boolean }>("/v1/verify/face-match", form, type)).match;
  }

  /** Resolves to the page that the person opens at home. */
  async checkAddress(address: string, full_name: string): Promise<string> {
    const check = { address, full_name, country: "NG", radius_m: 100, reference: "signup-1" };
    return (await this.#post<{ confirm_url: string }>("/v1/verify/address", check)).confirm_url;
  }

  async isAt(id: string, latitude: number, longitude: number): Promise<string> {
    const location = { latitude, longitude, accuracy_m: 10 };
    return (await this.#post<Outcome>(`/v1/verify/address/${id}/location`, location)).status;
  }

  async showBill(id: string, form: Buffer, type: string): Promise<string> {
    return (await this.#post<Outcome>(`/v1/verify/address/${id}/document`, form, type)).status;
  }

  take({ event, data }: SignupEvent): void {
    if (event === "verification.completed") this.ended.set(data.type, data.status);
  }

  async #post<T>(path: string, content: object | Buffer, type = "application/json"): Promise<T> {
    const response = await fetch(this.baseUrl + path, {
      method: "POST",
      headers: { "X-Service-Key": this.key, "Content-Type": type },
      body: Buffer.isBuffer(content) ? new Uint8Array(content) : JSON.stringify(content),
    });
    if (response.ok) return response.json() as Promise<T>;
    throw new Refused(((await response.json()) as { error: { code: string } }).error.code);
  }
}
