/** The text of the SMS; assumption phone.template. */
import { minute } from "../../time/time.js";
import { codeLifetimeMs } from "./machine.js";

/** Length of one SMS. */
const maxSmsCharacters = 160;
const defaultTemplate = "{code} is your {site} code. It expires in {minutes} minutes.";
const site = "Standin";

const withSiteAndMinutes = (form: string): string =>
  form.replaceAll("{site}", site).replaceAll("{minutes}", String(codeLifetimeMs / minute));
const defaultForm = withSiteAndMinutes(defaultTemplate);

/** Returns the filled template, or what is wrong with it. */
export function fillTemplate(
  template: string | undefined,
  code: string,
): { text: string } | { problem: string } {
  const form = template === undefined ? defaultForm : withSiteAndMinutes(template);
  if (!form.includes("{code}")) return { problem: "The template must contain {code}." };
  const text = form.replaceAll("{code}", code);
  const length = text.length > maxSmsCharacters ? [...text].length : text.length;
  return length > maxSmsCharacters
    ? { problem: `The filled template has ${length} characters; at most ${maxSmsCharacters} are allowed.` }
    : { text };
}
