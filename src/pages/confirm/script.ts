/** What JavaScript adds to the page: the device's own location, and a word on a file that is too large. */
export const script = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  find("problem")?.focus();

  const form = find("share");
  if (form) {
    const button = form.querySelector("button");
    let asking = false;
    const say = (text) => {
      find("share-says").textContent = text;
    };
    const stop = (text) => {
      asking = false;
      button.removeAttribute("aria-disabled");
      say(text);
    };
    const reasons = {
      1: "Your location was not shared. Allow it for this page in your browser, and try again.",
      2: "Your device does not know where it is right now. Try again, outdoors if you can.",
      3: "Finding your location took too long. Try again, outdoors if you can.",
    };
    const found = ({ coords }) => {
      form.elements.latitude.value = coords.latitude;
      form.elements.longitude.value = coords.longitude;
      form.elements.accuracy_m.value = coords.accuracy;
      form.submit();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (asking) return;
      if (!window.isSecureContext || !navigator.geolocation) {
        stop("Browsers share locations with https pages and with localhost alone. Use the buttons below.");
        return;
      }
      asking = true;
      button.setAttribute("aria-disabled", "true");
      say("Finding out where you are …");
      navigator.geolocation.getCurrentPosition(
        found,
        ({ code }) => stop(reasons[code]),
        { enableHighAccuracy: true, timeout: 15000, maximumAge: 0 },
      );
    });
    // Back from the next page, the browser may show this one as it was left.
    window.addEventListener("pageshow", ({ persisted }) => persisted && stop(""));
    form.hidden = false;
  }

  const file = find("file");
  file?.addEventListener("change", () => {
    const megabytes = (file.files[0]?.size ?? 0) / 1024 / 1024;
    const tooLarge = megabytes > 15;
    file.setCustomValidity(tooLarge ? "Choose a file of at most 15 MB." : "");
    find("file-says").textContent = tooLarge
      ? "This file has " + Math.ceil(megabytes) + " MB; at most 15 MB are taken."
      : "";
  });
})();
`;
