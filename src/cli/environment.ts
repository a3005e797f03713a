/** Prepares the environment for commander, which treats every existing variable as set, whatever its value. */
import type { Option } from "commander";
import { UsageError } from "./errors.js";

const yes = /^(?:1|true|yes|on)$/i;
const no = /^(?:0|false|no|off)$/i;

/** Kubernetes sets STANDIN_PORT to such an address in the containers beside a service named standin. */
const isServiceLink = (value: string): boolean => /^(?:tcp|udp|sctp):\/\//.test(value);

/**
 * Removes the variables of these options that are empty, as unset variables are in a compose file, or that turn a
 * switch off. Throws a UsageError if the value of a switch is neither on nor off.
 */
export function readSwitches(options: readonly Option[]): void {
  for (const option of options) {
    const { envVar: name = "" } = option;
    const value = process.env[name];
    if (value === undefined) continue;
    const isSwitch = option.isBoolean();
    if (value === "" || isServiceLink(value) || (isSwitch && no.test(value))) delete process.env[name];
    else if (isSwitch && !yes.test(value))
      throw new UsageError(`${name} must be true or false; got ${value}`);
  }
}
