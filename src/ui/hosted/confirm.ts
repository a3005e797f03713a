/** Script of the confirm page: shares the location of the device, and warns about files that are too large. */
import { find, showStatus } from "./find.js";

const maxFileMegabytes = 15;
const locationTimeoutMs = 15_000;

/** Messages for the person, by the code of a GeolocationPositionError. */
const reasons: Readonly<Record<number, string>> = {
  1: "Your location was not shared. Allow it for this page in your browser, and try again.",
  2: "Your device could not find its location. Try again, outdoors if you can.",
  3: "Finding your location took too long. Try again, outdoors if you can.",
};

function setField(form: HTMLFormElement, name: string, value: number): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = String(value);
}

function shareLocation(form: HTMLFormElement): void {
  const button = form.querySelector("button");
  let isAsking = false;
  const stop = (text: string) => {
    isAsking = false;
    button?.removeAttribute("aria-disabled");
    showStatus("share-status", text);
  };
  const share = ({ coords }: GeolocationPosition) => {
    setField(form, "latitude", coords.latitude);
    setField(form, "longitude", coords.longitude);
    setField(form, "accuracy_m", coords.accuracy);
    form.submit();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isAsking) return;
    if (!window.isSecureContext || !navigator.geolocation) {
      stop("Browsers only share locations with https pages and localhost. Use the buttons below.");
      return;
    }
    isAsking = true;
    button?.setAttribute("aria-disabled", "true");
    showStatus("share-status", "Finding your location …");
    navigator.geolocation.getCurrentPosition(share, ({ code }) => stop(reasons[code] ?? ""), {
      enableHighAccuracy: true,
      timeout: locationTimeoutMs,
      maximumAge: 0,
    });
  });
  // When the person goes back, the browser may show the page as it was left.
  window.addEventListener("pageshow", ({ persisted }) => persisted && stop(""));
  form.hidden = false;
}

function checkSize(file: HTMLInputElement): void {
  const megabytes = (file.files?.[0]?.size ?? 0) / 1024 / 1024;
  const isTooLarge = megabytes > maxFileMegabytes;
  file.setCustomValidity(isTooLarge ? `Choose a file of at most ${maxFileMegabytes} MB.` : "");
  showStatus(
    "file-status",
    isTooLarge ? `This file is ${Math.ceil(megabytes)} MB; the limit is ${maxFileMegabytes} MB.` : "",
  );
}

find("problem", HTMLElement)?.focus();
const form = find("share", HTMLFormElement);
if (form) shareLocation(form);
const file = find("file", HTMLInputElement);
file?.addEventListener("change", () => checkSize(file));
