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
  /** `interface` or `assumption`. */
  readonly source: string;
}
