/** The peers' answers. Their bodies equal Standin's, so that all servers write the same bytes. */
export const balance = { balance: 1_000_000, currency: "NGN", low_balance: false, free_tier_remaining: 0 };

/** Returns the reply of a phone verification start; `count` determines its id. */
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

/** Returns the reply of a BVN check; `count` determines its id. */
export const bvnVerification = (count, bvn) => ({
  id: `ver_${String(count).padStart(20, "0")}`,
  type: "bvn",
  status: "success",
  match: true,
  confidence_score: 100,
  data: { bvn, date_of_birth: "1990-04-12", phone_number: "+2347033361951", gender: "female" },
});

export const verifyBvnSchema = {
  type: "object",
  properties: {
    bvn: { type: "string", pattern: "^[0-9]{11}$" },
    phone_number: { type: "string" },
    first_name: { type: "string" },
    last_name: { type: "string" },
    date_of_birth: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
  },
  required: ["bvn"],
};

/** Prints the URL of the server in the format of `standin start --json`. */
export const printReady = (server) => {
  process.stdout.write(
    `${JSON.stringify({ ready: true, url: `http://127.0.0.1:${server.address().port}` })}\n`,
  );
};
