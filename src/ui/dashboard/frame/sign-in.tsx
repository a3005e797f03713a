/** Asks for the admin token of a sandbox that is protected by one. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Action } from "../pieces/button.js";
import { Mark } from "../pieces/icons.js";
import { signIn } from "../state/session.js";
import { Toasts } from "./toasts.js";

export function SignIn() {
  const token = useSignal("");
  const isWrong = useSignal(false);
  useEffect(() => document.querySelector<HTMLElement>(".sign-in input")?.focus(), []);
  const submit = async () => {
    isWrong.value = false;
    isWrong.value = !(await signIn(token.value));
  };
  return (
    <main class="sign-in">
      <form>
        <Mark />
        <h1>Sign in to Standin</h1>
        <div class="field">
          <label for="admin-token">Admin token</label>
          <input
            id="admin-token"
            type="password"
            value={token}
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value;
            }}
            autocomplete="current-password"
            aria-invalid={isWrong.value}
            aria-describedby="admin-token-hint"
            required
          />
          <p class="hint" id="admin-token-hint">
            The token that the sandbox was started with: <code>--admin-token</code> or{" "}
            <code>STANDIN_ADMIN_TOKEN</code>.
          </p>
        </div>
        <p class={isWrong.value ? "problem" : "visually-hidden"} role="alert">
          {isWrong.value && "This token is not the one that the sandbox was started with."}
        </p>
        <Action submits run={submit} look="primary">
          Sign in
        </Action>
      </form>
      <Toasts />
    </main>
  );
}
