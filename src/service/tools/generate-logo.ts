import * as Type from "typebox";
import { Binary } from "../../contract/reply-forms.js";
import { coded } from "../../contract/schemas.js";
import { operation } from "../operation.js";

const Colour = Type.String({
  pattern: "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$",
  description: "Hex colour",
  ...coded("validation_error", "a hex colour such as #0F766E or #FFF"),
  "x-assumption": "logo.colours",
  examples: ["#0F766E"],
});

export const generateLogo = operation({
  id: "generateLogo",
  route: "POST /v1/tools/generate-logo",
  summary: "Generate an SVG logo",
  description: "Returns the markup at once. The same request gives the same logo.",
  auth: "key",
  isHarmless: true,
  body: Type.Object({
    company_name: Type.String({ minLength: 1, examples: ["Ada Stores"] }),
    style: Type.Enum(["monogram", "badge", "abstract", "wordmark"]),
    primary_color: Colour,
    secondary_color: Colour,
    size: Type.Integer({ minimum: 1, description: "Width and height in pixels", examples: [512] }),
  }),
  reply: { 200: { contentType: "image/svg+xml", description: "SVG markup" } },

  prepare: async () => (await import("./logo/draw.js")).drawLogo,

  handle({ body: { company_name, style, primary_color, secondary_color, size }, prepared: drawLogo }) {
    const colours = { primary: primary_color, secondary: secondary_color };
    const svg = drawLogo({ name: company_name, style, size, ...colours });
    return new Binary("image/svg+xml", Buffer.from(svg), "logo.svg");
  },
});
