/** A shop for each test, whose service is an account of the sandbox. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test as base } from "@playwright/test";
import { withSandbox } from "standin/playwright";
import { createShop } from "./shop.js";

export { expect } from "@playwright/test";

export const test = withSandbox(base).extend({
  baseURL: async ({ account }, use) => {
    const shop = createShop({ serviceUrl: account.baseUrl, key: account.key });
    shop.listen(0, "127.0.0.1");
    await once(shop, "listening");
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    await shop.connect(url);
    await use(url);
    shop.closeAllConnections();
    shop.close();
  },
});
