/** Asks for the admin token of a sandbox that is protected by one. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Mark } from "../pieces/icons.js";
import { type SignInRequest, signIn } from "../state/session.js";

export function SignIn({ reason, isWrong }: SignInRequest) {
  const token = useSignal("");
  useEffect(() => document.querySelector<HTMLElement>(".sign-in input")?.focus(), []);
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.value) signIn(token.value);
        }}
      >
        <Mark />
        <h1>Standin</h1>
        <p role="alert">
          {isWrong ? "This token is not the one that the sandbox was started with." : reason}
        </p>
        <div class="field">
          <label for="admin-token">Admin token</label>
          <input
            id="admin-token"
            type="password"
            value={token}
            onInput={({ currentTarget }) => {
              token.value = currentTarget.value;
            }}
            autocomplete="off"
            required
          />
        </div>
        <button type="submit" class="button primary">
          Sign in
        </button>
        <p class="hint">The token is kept until this tab is closed.</p>
      </form>
    </main>
  );
}
