/**
 * The dashboard: a live view of one account, served at `/`. It uses only the control API of the sandbox.
 *
 * To add a screen, write a component in `screens/<name>/` and list it in its group in `screens/index.ts`. Its address is
 * `#/<id>`; what is open on it is the rest of the path (`route.value.path`), and its filters are the query, so that
 * every view can be linked to. Use
 *
 * - `call` (api/control.ts) to call an operation of the control API by its id, with the operation's own types;
 * - `useResource` (state/resource.ts) for data on the screen, which is read again when activities show that it has changed;
 * - `ListScreen` (pieces/list-screen.tsx) for a list with filters, rows, an open item and what to do when it is empty;
 * - `Split`, `Detail`, `Section`, `Facts`, `Tag`, `Empty`, `Loaded` (pieces/layout.tsx), `Action`, `Copy`, `Json`, `Code` and the
 *   fields of pieces/field.tsx for everything else;
 * - `href` and `hrefHere` (state/route.ts) for links, which keep the account.
 *
 * Texts are inserted as text by Preact; never set inner HTML, which the page's policy refuses as well.
 */
import { useSignal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { AccountPicker } from "./frame/account-picker.js";
import { ClockBar } from "./frame/clock-bar.js";
import { GroupBar, GroupTabs, Help, Navigation } from "./frame/navigation.js";
import { Action } from "./pieces/button.js";
import { Mark } from "./pieces/icons.js";
import { Empty } from "./pieces/layout.js";
import { Toasts } from "./pieces/toasts.js";
import { HeldBadge } from "./screens/held/held.js";
import { numberedScreens, type Screen, screens } from "./screens/index.js";
import { startKeyboard } from "./state/keyboard.js";
import { connection, startFollowing } from "./state/live.js";
import { href, route } from "./state/route.js";
import { chosenAccount, isSignInNeeded, signIn } from "./state/session.js";
import "./style/frame.css";
import "./style/pieces.css";
import "./style/screens.css";

/** The frame around every screen: brand, account, clock, navigation, messages. */
function App() {
  const screen = screens.find(({ id }) => id === route.value.screen) ?? (screens[0] as Screen);
  const { name } = screen;
  useEffect(() => {
    document.title = `${name} · Standin`;
  }, [name]);
  if (isSignInNeeded.value) return <SignIn />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href={href(["activity"])} aria-label="Standin">
          <Mark />
          <span>Standin</span>
        </a>
        <AccountPicker />
        <ConnectionState />
        <HeldBadge />
        <ClockBar />
      </header>
      <Navigation current={screen} />
      <GroupTabs current={screen} />
      <main id="main" tabIndex={-1} key={chosenAccount.value}>
        <h1 class="visually-hidden">{name}</h1>
        {connection.value === "gone" ? <GoneAccount /> : <screen.Show key={screen.id} />}
      </main>
      <GroupBar current={screen} />
      <Toasts />
      <Help />
    </>
  );
}

const GoneAccount = () => (
  <Empty title="This account does not exist">
    <p>
      A sandbox without a data folder forgets its accounts when it stops.{" "}
      <a href="#/activity">Show the account of the test key</a>
    </p>
  </Empty>
);

const states = {
  connecting: "Connecting …",
  live: "Live",
  offline: "Reconnecting …",
  gone: "No such account",
} as const;

const tones = { connecting: "over", live: "good", offline: "wait", gone: "bad" } as const;

const ConnectionState = () => (
  <span
    class={`hint connection ${connection.value} ${tones[connection.value]}`}
    role="status"
    title={states[connection.value]}
  >
    <span class={connection.value === "live" ? "visually-hidden" : ""}>{states[connection.value]}</span>
  </span>
);

/** Asks for the admin token of a sandbox that is protected by one. */
function SignIn() {
  const token = useSignal("");
  const isWrong = useSignal(false);
  useEffect(() => document.querySelector<HTMLElement>(".sign-in input")?.focus(), []);
  const submit = async () => {
    isWrong.value = false;
    isWrong.value = !(await signIn(token.value));
  };
  return (
    <main class="sign-in">
      <form class="card">
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
          {isWrong.value && "This is not the token that the sandbox was started with."}
        </p>
        <Action submits run={submit} look="primary">
          Sign in
        </Action>
      </form>
      <Toasts />
    </main>
  );
}

startKeyboard(numberedScreens.map(({ id }) => id));
startFollowing();
render(<App />, document.getElementById("app") as HTMLElement);
