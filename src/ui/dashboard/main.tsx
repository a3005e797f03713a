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
import { render } from "preact";
import { App } from "./frame/app.js";
import { numberedScreens } from "./screens/index.js";
import { startKeyboard } from "./state/keyboard.js";
import { startFollowing } from "./state/live.js";
import "./style/frame.css";
import "./style/pieces.css";
import "./style/screens.css";

startKeyboard(numberedScreens.map(({ id }) => id));
startFollowing();
render(<App />, document.getElementById("app") as HTMLElement);
