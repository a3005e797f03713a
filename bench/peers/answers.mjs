/** What the peers answer: the bodies of Standin's own replies, so that all write the same bytes. */
export const balance = { balance: 1_000_000, currency: "NGN", low_balance: false, free_tier_remaining: 0 };

/** The reply of a phone verification start; `count` makes its id. */
export const verification = (count, phone) => ({
  id: `phv_${String(count).padStart(20, "0")}`,
  phone,
  status: "pending",
  expires_at: new Date(Date.now() + 600_000).toISOString(),
  reference: null,
  cost: 6,
  is_test: true,
});

export const phoneStartSchema = {
  type: "object",
  properties: {
    phone: { type: "string", pattern: "^[0+][0-9 -]+$" },
    template: { type: "string" },
    reference: { type: "string" },
  },
  required: ["phone"],
};

/** Says on stdout where the server listens, in the words of `standin start --json`. */
export const sayReady = (server) => {
  process.stdout.write(
    `${JSON.stringify({ ready: true, url: `http://127.0.0.1:${server.address().port}` })}\n`,
  );
};
