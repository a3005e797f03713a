/** Interface: "Address check" and the replies of its three operations. Points: assumption address.points. */
import * as Type from "typebox";
import { Currency, exactly, naira, nullable, Timestamp } from "../../contract/schemas.js";
import { whileIn } from "../assumptions.js";
import { VerificationId } from "../identity/schemas.js";

const points = (maximum: number) => Type.Number({ minimum: 0, maximum });
const scored = { "x-assumption": "address.points" };
const CheckStatus = Type.Enum(["pass", "partial", "fail", "not_provided"], scored);
const coordinate = nullable(Type.Number(), {
  description: "null if the address is not found",
  ...whileIn(
    "address.unknown_position",
    "numbers",
    Type.Number({ description: "Of the middle of the country if the address is not found" }),
  ),
});

const AddressExists = exactly({ status: Type.Enum(["pass", "partial", "fail"], scored), points: points(40) });

const LocationCheck = exactly({
  status: CheckStatus,
  points: points(40),
  distance_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
  accuracy_m: Type.Optional(Type.Number({ description: "In metres; present once a location is submitted" })),
});

const compared = {
  address_match: Type.Number({ minimum: 0, maximum: 100, ...scored }),
  name_match: Type.Boolean(),
};

const DocumentCheck = exactly({
  status: CheckStatus,
  points: points(20),
  address_match: Type.Optional(compared.address_match),
  name_match: Type.Optional(compared.name_match),
});

export const AddressStatus = Type.Enum(["pending", "verified", "review", "failed"]);

const outline = {
  id: VerificationId,
  type: Type.Literal("address"),
  status: AddressStatus,
  confidence_score: Type.Number({ minimum: 0, maximum: 100, description: "Sum of the points", ...scored }),
};

const match = nullable(Type.Boolean(), {
  description: "null while pending, then whether the address is verified",
  ...scored,
});

const checks = exactly({ address_exists: AddressExists, location: LocationCheck, document: DocumentCheck });

const Signal = exactly(
  { category: Type.String(), severity: Type.String(), title: Type.String(), detail: Type.String() },
  { "x-assumption": "address.signals" },
);

const addressCheckFields = {
  ...outline,
  match,
  data: Type.Null({
    description: "Always null; address checks have address, checks and signals instead",
    "x-assumption": "replies",
  }),
  address: exactly({
    submitted: Type.String({ description: "The address as sent" }),
    formatted: Type.String({ description: "Normalised address" }),
    latitude: coordinate,
    longitude: coordinate,
    precision: Type.String({ description: "Label of the location's precision" }),
  }),
  checks,
  signals: Type.Array(Signal),
  confirm_url: Type.String({ format: "uri", description: "To be sent to the person being checked" }),
  expires_at: Timestamp,
  cost: naira(),
  currency: Currency,
  is_test: Type.Boolean(),
};

export const AddressCheck = exactly(
  addressCheckFields,
  whileIn("verification.reply_fields", "all", exactly({ ...addressCheckFields, created_at: Timestamp })),
);

export const AddressLocationBody = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90, examples: [6.5982] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, examples: [3.3521] }),
  accuracy_m: Type.Number({
    minimum: 0,
    description: "Accuracy that the phone reports, in metres",
    examples: [12],
  }),
});

/** The reply to a submitted location. */
export const AddressLocationResult = exactly({ ...outline, match, checks });

/** The reply to a submitted document, which has only its own check. */
export const AddressDocumentResult = exactly({
  ...outline,
  checks: exactly({ document: exactly({ status: CheckStatus, points: points(20), ...compared }) }),
});
