/** A web shop that verifies phones and addresses and takes card payments. It knows the service, but not the sandbox. */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const escapeHtml = (text) => String(text).replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const page = (body) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Ada Stores</title><h1>Ada Stores</h1>${body}</html>`;

const price = 4_500;

const signIn = (error = "") =>
  page(`
<p role="status">${escapeHtml(error)}</p>
<form method="post" action="/code">
<label>Name <input name="name" required></label> <label>Phone <input name="phone" type="tel" required></label>
<button>Send code</button></form>`);

const enterCode = ({ id, name }, error = "") =>
  page(`
<p role="status">${escapeHtml(error)}</p>
<form method="post" action="/sign-in">
<input type="hidden" name="id" value="${escapeHtml(id)}"><input type="hidden" name="name" value="${escapeHtml(name)}">
<label>Code <input name="code" inputmode="numeric" required></label><button>Sign in</button></form>`);

const basket = ({ name, address, orders }) =>
  page(`
<h2>Welcome, ${escapeHtml(name)}</h2>
<form method="post" action="/orders"><button>Buy coffee for ₦4,500</button></form>
<ul aria-label="Orders">${orders.map(({ item, status }) => `<li>${item}: ${status}</li>`).join("")}</ul>
<h2>Delivery</h2>
${
  address === null
    ? `<form method="post" action="/address"><label>Address <input name="address" required></label><button>Deliver here</button></form>`
    : `<p>Delivery to ${escapeHtml(address.text)}: ${escapeHtml(address.status)}</p>
<p><a href="${escapeHtml(address.confirmUrl)}">Confirm your address</a></p>`
}`);

/** Returns an HTTP server of the shop. `connect(url)` tells the service where its webhooks go. */
export function createShop({ serviceUrl, key }) {
  const customers = new Map();
  let secret = "";

  async function service(method, path, body) {
    const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
    const reply = await fetch(serviceUrl + path, { method, headers, body: JSON.stringify(body) });
    const content = await reply.json();
    if (!reply.ok) throw new Error(content.error.message);
    return content;
  }

  const routes = {
    "GET /": ({ customer }) => (customer ? basket(customer) : signIn()),

    "POST /code": async ({ form }) => {
      try {
        const { id } = await service("POST", "/v1/phone/verify/start", { phone: form.get("phone") });
        return enterCode({ id, name: form.get("name") });
      } catch (error) {
        return signIn(error.message);
      }
    },

    "POST /sign-in": async ({ form, response }) => {
      const [id, name, code] = ["id", "name", "code"].map((field) => form.get(field));
      const { verified } = await service("POST", "/v1/phone/verify/check", { id, code }).catch(() => ({}));
      if (!verified) return enterCode({ id, name }, "That code is wrong or has expired.");
      const session = randomUUID();
      customers.set(session, { name, address: null, orders: [] });
      return redirect(response, "/", { "Set-Cookie": `session=${session}; HttpOnly; SameSite=Lax` });
    },

    "POST /orders": async ({ customer, response }) => {
      const charge = await service("POST", "/v1/business/charges", {
        amount: price,
        customer_name: customer.name,
        customer_email: "chidi@example.com",
        description: "Coffee",
      });
      customer.orders.push({ item: "Coffee", status: "not paid" });
      return redirect(response, charge.checkout_url);
    },

    "POST /address": async ({ customer, form, response }) => {
      const text = form.get("address");
      const check = await service("POST", "/v1/verify/address", {
        address: text,
        full_name: customer.name,
        country: "NG",
        radius_m: 200,
        reference: randomUUID(),
      });
      customer.address = { id: check.id, text, status: check.status, confirmUrl: check.confirm_url };
      return redirect(response, "/");
    },

    "POST /webhooks": ({ body, request, response }) => {
      const expected = Buffer.from(createHmac("sha256", secret).update(body).digest("hex"));
      const given = Buffer.from(request.headers["x-service-signature"] ?? "");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        response.statusCode = 401;
        return "";
      }
      const { event, job_id, data } = JSON.parse(body);
      for (const { name, address, orders } of customers.values()) {
        // A payment event contains the payer, but not the charge.
        const order = orders.find(({ status }) => status === "not paid");
        if (event === "payment.received" && data.payer_name === name && order) order.status = "paid";
        if (event === "verification.completed" && job_id === address?.id) address.status = data.status;
      }
      return "";
    },
  };

  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const route = routes[`${request.method} ${request.url}`];
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
    const visit = {
      request,
      response,
      body,
      form: new URLSearchParams(body.toString()),
      customer: customers.get(session),
    };
    try {
      const content = route ? await route(visit) : "";
      if (!route) response.statusCode = 404;
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(content);
    } catch (error) {
      response.writeHead(502, { "Content-Type": "text/plain; charset=utf-8" }).end(error.message);
    }
  });

  return Object.assign(server, {
    async connect(url) {
      const profile = {
        business_name: "Ada Stores",
        business_type: "registered",
        contact_phone: "+2348031234567",
      };
      await service("PUT", "/v1/business/profile", profile);
      ({ secret } = await service("POST", "/v1/webhooks", { url: `${url}/webhooks` }));
    },
  });
}

function redirect(response, location, headers = {}) {
  response.statusCode = 303;
  response.setHeaders(new Map(Object.entries({ Location: location, ...headers })));
  return "";
}

// `npm start`: the shop on port 3000, with the service at SERVICE_URL.
if (import.meta.filename === process.argv[1]) {
  const {
    SERVICE_URL = "http://127.0.0.1:4010",
    SERVICE_KEY = "svc_test_demo",
    SHOP_URL = "http://127.0.0.1:3000",
  } = process.env;
  const shop = createShop({ serviceUrl: SERVICE_URL, key: SERVICE_KEY });
  await shop.connect(SHOP_URL);
  shop.listen(3000, () => console.log(`The shop is at ${SHOP_URL}`));
}
