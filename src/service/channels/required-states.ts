/** The states that calls about channels require. */
import { replyField, type StateSelector } from "../../contract/required-state.js";
import { alwaysRequires, deciding, requires } from "../required-states.js";

/** The path of a request takes the channel of the state. */
export const onChannel = { "path.channel_id": "channel_id" };
const toNumber = { ...onChannel, "body.to": "to" };

export const onConnectedChannel = alwaysRequires("a connected channel", onChannel);
export const onDisconnectedChannel = alwaysRequires("a disconnected channel", onChannel);

/** The right code needs one that was sent; a wrong one as well, unless the reply says that none is pending. */
export const checkedCode: StateSelector = (exchange) => {
  const isRight = replyField(exchange, "valid") === true;
  const reason = isRight ? "right_code" : (replyField(exchange, "reason") ?? "wrong_code");
  const states: Readonly<Record<string, ReturnType<typeof requires>>> = {
    right_code: requires("a pending channel code", { ...toNumber, "body.code": "code" }),
    wrong_code: requires("a pending channel code", toNumber),
    no_pending_code: requires("a connected channel", onChannel),
  };
  const required = states[String(reason)];
  return required ? deciding(["valid", "reason"], required) : null;
};

/** The reply says whether the person has written within 24 hours. */
export const messageWindow: StateSelector = (exchange) =>
  deciding(
    ["session_active"],
    replyField(exchange, "session_active") === false
      ? requires("a connected channel", onChannel)
      : requires("an open message window", toNumber),
  );
