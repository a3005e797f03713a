import { type Assumption, facts } from "../../contract/assumptions/assumption.js";

/** Behaviour that the interface leaves open under "File tools". */
export const toolRows = [
  {
    id: "logo.colours",
    question: "Which notations of a hex colour does a logo accept?",
    default:
      "`#RRGGBB` and the short form `#RGB`, in upper or lower case; anything else gets 400 `validation_error`.",
    reason: "These are the two opaque notations of CSS.",
  },
  {
    id: "files.store_assets_limit",
    question: "How large may a store-assets upload be?",
    default: "At most 15 MB.",
    reason: "It is the documented limit of the other image tool, background removal.",
  },
  {
    id: "files.background",
    question: "What is the reply to a picture whose background cannot be told from its object?",
    default: facts(
      "200 with the best cut; a picture without any plain background is returned whole.",
      "The header `X-Sandbox-Cut-Confidence`, from 0.00 to 1.00, says how sure the cut is. Below 0.50 it needs to be looked at.",
      "It is the share of the picture's top and sides that is plain, less up to half for noise.",
      "It is 0.00 for a picture that is returned whole, and 1.00 for a picture that already has transparent parts.",
      "With an installed model, it is the share of pixels that the model finds clearly transparent or opaque.",
    ),
    reason:
      "The interface promises a PNG and no refusal; a header tells a good cut from a guess without changing the reply.",
    switch: {
      default: "noted",
      alternatives: { refused: "a picture with a confidence below 0.50 gets 422 `file_unreadable`" },
    },
  },
] as const satisfies readonly Assumption[];
