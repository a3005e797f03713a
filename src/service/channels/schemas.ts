/** Interface: "Messaging channel", "One-time code and identity check" and the replies of their operations. */
import * as Type from "typebox";
import { coded, exactly, id, NullableTimestamp, nullable, Timestamp } from "../../contract/schemas.js";
import { ChatNumber } from "../numbers.js";

export const ChannelParams = Type.Object({
  channel_id: Type.String({ description: "Id of a linked number" }),
});

/** Lengths in characters; assumption channels.sizes. */
export const maxTextLength = 4_096;
const maxCaptionLength = 1_024;
const maxFilenameLength = 255;
export const maxLabelLength = 100;

const assumed = { "x-assumption": "channels.states" };
const ChannelId = id("wac_", { "x-assumption": "ids" });
const To = Type.String({ description: "Digits with country code", examples: ["2348031234567"] });

export const Channel = exactly({
  id: ChannelId,
  label: Type.String(),
  phone: nullable(Type.String(), {
    description: "Digits with country code; null until a number is linked",
    examples: ["2348031234567"],
    ...assumed,
  }),
  status: Type.Enum(["disconnected", "connecting", "connected"], assumed),
});

export const CreatedChannel = exactly(
  {
    id: ChannelId,
    label: Type.String(),
    phone: Type.Null(),
    status: Type.Literal("disconnected"),
    created_at: Timestamp,
  },
  assumed,
);

export const ChannelLink = exactly(
  {
    id: ChannelId,
    status: Type.Literal("connecting"),
    qr: exactly({
      code: Type.String({ description: "Content of the QR code" }),
      image: Type.String({ description: "QR code as a data URI of an SVG image" }),
      expires_at: Timestamp,
    }),
    pairing_code: Type.String({ description: "Alternative to scanning, to be typed in the messaging app" }),
  },
  assumed,
);

const link = Type.String({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  maxLength: 2048,
  description: "URL from which the file is fetched",
  examples: ["https://shop.example/receipt.png"],
  ...coded("validation_error", "an http or https URL of at most 2048 characters"),
});
const caption = Type.Optional(Type.String({ maxLength: maxCaptionLength }));

const SentImage = Type.Object({ link, caption }, { "x-assumption": "channels.send" });
const SentDocument = Type.Object(
  {
    link,
    filename: Type.String({ minLength: 1, maxLength: maxFilenameLength, examples: ["receipt.pdf"] }),
    caption,
  },
  { "x-assumption": "channels.send" },
);

const contents = ["text", "image", "document"] as const;

export const ChannelMessageBody = Type.Object(
  {
    to: ChatNumber,
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxTextLength,
        examples: ["Your parcel has arrived."],
        "x-assumption": "channels.sizes",
      }),
    ),
    image: Type.Optional(SentImage),
    document: Type.Optional(SentDocument),
  },
  {
    oneOf: contents.map((content) => ({ required: [content] })),
    "x-rule": "exactly one of text, image and document",
  },
);

export const SentMessage = exactly({ sent: Type.Integer({ minimum: 0 }), session_active: Type.Boolean() });

export const ChannelCode = exactly({
  id: id("otp_", { "x-assumption": "ids" }),
  kind: Type.Literal("otp"),
  to: To,
  status: Type.Literal("pending"),
  expires_at: Timestamp,
});

const reason = Type.Enum(["wrong_code", "expired", "too_many_attempts", "no_pending_code"]);
export type Reason = Type.Static<typeof reason>;

export const ChannelCodeCheck = exactly({
  valid: Type.Boolean(),
  reason: nullable(reason, { description: "null when valid" }),
  reference: nullable(Type.String(), { description: "The reference that the code was sent with" }),
});

const question = {
  id: id("idq_", { "x-assumption": "ids" }),
  kind: Type.Literal("identity"),
};
const attempts = Type.Integer({ minimum: 0, maximum: 5, description: "Number of answers so far" });

export const StartedIdentityCheck = exactly({
  ...question,
  to: To,
  status: Type.Literal("pending"),
  attempts,
  expires_at: Timestamp,
});

export const IdentityCheck = exactly({
  ...question,
  status: Type.Enum(["pending", "verified", "failed", "expired"]),
  attempts,
  resolved_at: NullableTimestamp,
});
