/** The text of the SMS; assumption phone.template. */
import { minute } from "../../time/time.js";
import { codeLifetimeMs } from "./machine.js";

const defaultTemplate = "{code} is your {site} code. It expires in {minutes} minutes.";
const site = "Standin";

const withSiteAndMinutes = (form: string): string =>
  form.replaceAll("{site}", site).replaceAll("{minutes}", String(codeLifetimeMs / minute));
const defaultForm = withSiteAndMinutes(defaultTemplate);

/** Returns the text of the message. The schema of the request requires a template with `{code}`. */
export const fillTemplate = (template: string | undefined, code: string): string =>
  (template === undefined ? defaultForm : withSiteAndMinutes(template)).replaceAll("{code}", code);
