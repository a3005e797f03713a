/** Script of the confirm page: shares the location of the device, and warns about files that are too large. */
export const script = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  find("problem")?.focus();

  const form = find("share");
  if (form) {
    const button = form.querySelector("button");
    let isAsking = false;
    const showStatus = (text) => {
      find("share-status").textContent = text;
    };
    const stop = (text) => {
      isAsking = false;
      button.removeAttribute("aria-disabled");
      showStatus(text);
    };
    const reasons = {
      1: "Your location was not shared. Allow it for this page in your browser, and try again.",
      2: "Your device could not find its location. Try again, outdoors if you can.",
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
      if (isAsking) return;
      if (!window.isSecureContext || !navigator.geolocation) {
        stop("Browsers only share locations with https pages and localhost. Use the buttons below.");
        return;
      }
      isAsking = true;
      button.setAttribute("aria-disabled", "true");
      showStatus("Finding your location …");
      navigator.geolocation.getCurrentPosition(
        found,
        ({ code }) => stop(reasons[code]),
        { enableHighAccuracy: true, timeout: 15000, maximumAge: 0 },
      );
    });
    // When the person goes back, the browser may show the page as it was left.
    window.addEventListener("pageshow", ({ persisted }) => persisted && stop(""));
    form.hidden = false;
  }

  const file = find("file");
  file?.addEventListener("change", () => {
    const megabytes = (file.files[0]?.size ?? 0) / 1024 / 1024;
    const tooLarge = megabytes > 15;
    file.setCustomValidity(tooLarge ? "Choose a file of at most 15 MB." : "");
    find("file-status").textContent = tooLarge
      ? "This file is " + Math.ceil(megabytes) + " MB; the limit is 15 MB."
      : "";
  });
})();
`;
