/** The text of the SMS; assumption phone.template. */
import { minute } from "../../world/time/time.js";
import { codeLifetime } from "./machine.js";

/** One SMS. */
const longest = 160;
const standard = "{code} is your {site} code. It expires in {minutes} minutes.";
const site = "Standin";

/** The filled template, or what is wrong with it. */
export function fillTemplate(
  template: string | undefined,
  code: string,
): { text: string } | { problem: string } {
  const form = template ?? standard;
  if (!form.includes("{code}")) return { problem: "The template must contain {code}." };
  const text = form
    .replaceAll("{code}", code)
    .replaceAll("{site}", site)
    .replaceAll("{minutes}", String(codeLifetime / minute));
  const length = text.length > longest ? [...text].length : text.length;
  return length > longest
    ? { problem: `The template fills to ${length} characters; at most ${longest} are sent.` }
    : { text };
}
