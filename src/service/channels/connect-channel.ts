import { toIso } from "../../time/time.js";
import { loadOnce, operation } from "../operation.js";
import { requireChannel } from "./account-channels.js";
import type { LinkCode } from "./linking.js";
import { channel } from "./machines/channel.js";
import { ChannelLink, ChannelParams } from "./schemas.js";

const loadQrLibrary = loadOnce(() => import("uqr"));

/** Width of the white border that the standard requires, in modules. */
const quietZoneModules = 4;

/** Returns the QR code of the text as a data URI of an SVG image. */
function drawQr({ renderSVG }: typeof import("uqr"), text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZoneModules });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

export const connectChannel = operation({
  id: "connectChannel",
  route: "POST /v1/wa/channels/{channel_id}/connect",
  summary: "Start linking a number",
  description: "The number is linked by scanning the code from the messaging app.",
  auth: "key",
  params: ChannelParams,
  reply: { 200: ChannelLink },
  refuses: ["resource_not_found", "invalid_state"],
  assumptions: ["channels.default"],

  prepare: loadQrLibrary,
  handle({ account, params, prepared, refuse }) {
    const record = requireChannel(account, params.channel_id);
    if (record.state === "connected") {
      const message = `${record.id} is already connected to ${record.phone}.`;
      refuse("invalid_state", { param: "channel_id", message });
    }
    // While a code is open, repeated calls return the same code.
    if (record.state === "disconnected") account.records.move(channel, record, "connect");
    const { code, pairing_code, expires_at } = record.link as LinkCode;
    return {
      id: record.id,
      status: "connecting" as const,
      qr: { code, image: drawQr(prepared, code), expires_at: toIso(expires_at) },
      pairing_code,
    };
  },
});
