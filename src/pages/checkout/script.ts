/** Script of the checkout: groups digits, fills in test cards with a click, and prevents double payments. */
export const script = `"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  find("problem")?.focus();

  for (const form of document.forms) {
    let isSent = false;
    const showStatus = (text) => {
      find("form-status").textContent = text;
    };
    form.addEventListener("submit", (event) => {
      if (isSent) return event.preventDefault();
      isSent = true;
      for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
      showStatus("One moment …");
    });
    // When the customer goes back, the browser may show the page as it was left.
    window.addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      isSent = false;
      for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
      showStatus("");
    });
  }

  const number = find("number");
  if (!number) return;
  const expiry = find("expiry");
  const code = find("code");
  const digitsOf = (text) => text.replace(/\\D/g, "");
  const cards = [...document.querySelectorAll("[data-number]")];

  // The caret stays behind the same digit.
  const formatWhileTyping = (field, format) =>
    field.addEventListener("input", () => {
      const atEnd = field.selectionStart === field.value.length;
      const before = digitsOf(field.value.slice(0, field.selectionStart)).length;
      const text = format(field.value);
      if (text === field.value) return;
      field.value = text;
      if (atEnd) return;
      let caret = 0;
      for (let seen = 0; seen < before && caret < text.length; caret++) if (/\\d/.test(text[caret])) seen++;
      field.setSelectionRange(caret, caret);
    });
  const groups = (text) => digitsOf(text).slice(0, 19).replace(/\\d{4}(?=\\d)/g, "$& ");
  const months = (text) => {
    const digits = digitsOf(text.replace(/^\\s*(\\d)\\s*[/.-]/, "0$1")).replace(/^[2-9]/, "0$&").slice(0, 6);
    return digits.length > 2 ? digits.slice(0, 2) + " / " + digits.slice(2) : digits;
  };
  formatWhileTyping(number, groups);
  formatWhileTyping(expiry, months);
  formatWhileTyping(code, (text) => digitsOf(text).slice(0, 3));

  const showError = (field, text) => {
    field.setCustomValidity(text);
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    find(field.id + "-error").textContent = text;
  };
  // A number that may be of a real card does not leave the browser.
  number.addEventListener("change", () => {
    const known = cards.some((card) => digitsOf(card.dataset.number) === digitsOf(number.value));
    const text = "This is not a test card. Choose one of the test cards, and never enter a real card here.";
    showError(number, known || number.value === "" ? "" : text);
  });
  const mark = (chosen) => {
    for (const card of cards) card.removeAttribute("aria-current");
    chosen?.setAttribute("aria-current", "true");
  };
  for (const field of [number, expiry, code]) field.addEventListener("input", () => showError(field, ""));
  number.addEventListener("input", () => mark(null));

  for (const card of cards) {
    card.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      number.value = card.dataset.number;
      expiry.value = card.dataset.expiry;
      code.value = card.dataset.code;
      for (const field of [number, expiry, code]) showError(field, "");
      mark(card);
      find("form-status").textContent = "The card ending in " + card.dataset.number.slice(-4) + " is filled in.";
      number.form.querySelector("button").focus();
    });
  }
})();
`;
