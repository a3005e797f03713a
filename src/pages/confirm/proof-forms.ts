/** Renders the forms for proof of an address: a location and a bill. Both work without JavaScript. */

import { type Html, html } from "../../documents/html.js";
import { formatDistance } from "../hosted/format.js";
import { icons } from "../hosted/icons.js";
import type { ShownCheck } from "./state.js";

/** Multipart even without a file, so that all forms are read alike. */
const form = (attributes: Html, content: Html): Html =>
  html`<form method="post" enctype="multipart/form-data"${attributes}>${content}</form>`;

const renderPoints = (check: { status: string; points: number }, maxPoints: number): Html =>
  check.status === "not_provided"
    ? html`<span class="possible-points">${maxPoints} points</span>`
    : html`<span class="possible-points">${check.points} of ${maxPoints} points</span>`;

const hidden = (name: string, value = ""): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const renderLocationForms = (
  check: ShownCheck,
): Html => html`<section class="card proof" aria-labelledby="location-title">
<h3 id="location-title">${icons.pin} Share your location ${renderPoints(check.location, 40)}</h3>
<p>Do this at the address. Your location is compared with it; only the distance is stored.</p>
${form(
  html` id="share" hidden`,
  html`${hidden("proof", "location")}${hidden("latitude")}${hidden("longitude")}${hidden("accuracy_m")}
<button class="main" type="submit">${icons.pin} Share my location</button>
`,
)}
<p class="live" id="share-status" role="status" aria-live="polite"></p>
${form(
  html` class="simulate"`,
  html`${hidden("proof", "location")}
<p id="simulate">In the sandbox, you can also simulate your location:</p>
<div class="pair" role="group" aria-labelledby="simulate">
<button type="submit" name="at" value="address">I am at the address</button>
<button type="submit" name="at" value="elsewhere">I am elsewhere</button>
</div>`,
)}
</section>`;

const renderDocumentForm = (
  check: ShownCheck,
  isRefused: boolean,
): Html => html`<section class="card proof" aria-labelledby="document-title">
<h3 id="document-title">${icons.bill} Upload a bill ${renderPoints(check.document, 20)}</h3>
<p id="file-hint">A utility bill or a bank statement with your name and this address: a photo (PNG, JPEG or WebP) or a PDF of up to 15 MB. It is compared and discarded.</p>
${form(
  html``,
  html`${hidden("proof", "document")}
<label for="file">Your bill or statement</label>
<input type="file" id="file" name="file" required accept="image/png,image/jpeg,image/webp,application/pdf" aria-describedby="file-hint file-status"${isRefused ? html` aria-invalid="true"` : html``}>
<p class="live" id="file-status" role="status" aria-live="polite"></p>
<button type="submit">${icons.bill} Upload the bill</button>
`,
)}
</section>`;

const renderTesterNotes = ({ radius_m }: ShownCheck): Html => html`<details class="aside">
<summary>For testers: how points are given</summary>
<ul>
<li>Within ${formatDistance(radius_m)} of the address, 40 points; within it only after subtracting the accuracy of the phone, 20; farther away, none.</li>
<li>A file whose name contains <code>otheraddress</code> gets no points, <code>othername</code> gets 10, and any other gets 20.</li>
<li><code>provider_down</code> or <code>timeout</code> in the name makes the check fail with 503 or 504.</li>
</ul>
</details>`;

export const renderProofForms = (
  check: ShownCheck,
  isDocumentRefused: boolean,
): Html => html`<section class="proofs" aria-labelledby="proofs-title">
<h2 id="proofs-title">Two ways to confirm</h2>
${renderLocationForms(check)}
${renderDocumentForm(check, isDocumentRefused)}
${renderTesterNotes(check)}
</section>`;
