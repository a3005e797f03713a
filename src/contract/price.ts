/** An entry of the price list, fixtures/prices.json. */
export interface Price {
  readonly key: string;
  /** Type of call in usage and pricing. */
  readonly type: string;
  /** In naira. */
  readonly price: number;
  /** In kobo. */
  readonly cost: number;
  readonly unit: string;
  /** Where the call that has this price is made: by API key, or in the dashboard. */
  readonly channel: "api" | "dashboard";
  /** `interface` or `assumption`. */
  readonly source: string;
}
