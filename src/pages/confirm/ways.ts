/** The two ways to confirm an address: by being there, and with a bill. Both work without JavaScript. */

import { icons } from "../hosted/icons.js";
import { type Html, html } from "../html.js";
import { type Check, sayMetres } from "./state.js";

/** Multipart even where there is no file: one reader takes them all. */
const form = (attributes: Html, content: Html): Html =>
  html`<form method="post" enctype="multipart/form-data"${attributes}>${content}</form>`;

const worth = (check: { status: string; points: number }, most: number): Html =>
  check.status === "not_provided"
    ? html`<span class="worth">${most} points</span>`
    : html`<span class="worth">${check.points} of ${most} points</span>`;

const hidden = (name: string, value = ""): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const byLocation = (check: Check): Html => html`<section class="card way" aria-labelledby="location-title">
<h3 id="location-title">${icons.pin} Share where you are ${worth(check.location, 40)}</h3>
<p>Do this at the address. Your location is compared with it; only the distance is kept.</p>
${form(
  html` id="share" hidden`,
  html`${hidden("proof", "location")}${hidden("latitude")}${hidden("longitude")}${hidden("accuracy_m")}
<button class="main" type="submit">${icons.pin} Share my location</button>
`,
)}
<p class="live" id="share-says" role="status" aria-live="polite"></p>
${form(
  html` class="pretend"`,
  html`${hidden("proof", "location")}
<p id="pretend">In the sandbox you may also pretend:</p>
<div class="pair" role="group" aria-labelledby="pretend">
<button type="submit" name="at" value="address">I am at the address</button>
<button type="submit" name="at" value="elsewhere">I am elsewhere</button>
</div>`,
)}
</section>`;

const byDocument = (
  check: Check,
  refused: boolean,
): Html => html`<section class="card way" aria-labelledby="document-title">
<h3 id="document-title">${icons.bill} Upload a bill ${worth(check.document, 20)}</h3>
<p id="file-hint">A utility bill or a bank statement with your name and this address: a photo (PNG, JPEG or WebP) or a PDF of up to 15 MB. It is compared and discarded.</p>
${form(
  html``,
  html`${hidden("proof", "document")}
<label for="file">Your bill or statement</label>
<input type="file" id="file" name="file" required accept="image/png,image/jpeg,image/webp,application/pdf" aria-describedby="file-hint file-says"${refused ? html` aria-invalid="true"` : html``}>
<p class="live" id="file-says" role="status" aria-live="polite"></p>
<button type="submit">${icons.bill} Upload the bill</button>
`,
)}
</section>`;

const forTester = ({ radius_m }: Check): Html => html`<details class="aside">
<summary>For the tester: how it is decided</summary>
<ul>
<li>Within ${sayMetres(radius_m)} of the address, 40 points; within it only if the phone's accuracy is taken off, 20; farther away, none.</li>
<li>A file whose name contains <code>otheraddress</code> gets no points, <code>othername</code> gets 10, any other 20.</li>
<li><code>provider_down</code> or <code>timeout</code> in its name makes the check fail with 503 or 504.</li>
</ul>
</details>`;

export const renderWays = (
  check: Check,
  documentRefused: boolean,
): Html => html`<section class="ways" aria-labelledby="ways-title">
<h2 id="ways-title">Two ways to confirm</h2>
${byLocation(check)}
${byDocument(check, documentRefused)}
${forTester(check)}
</section>`;
