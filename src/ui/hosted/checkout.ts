/** Script of the checkout: groups digits, fills in test cards with a click, and prevents double payments. */
import { find, showStatus } from "./find.js";

function sendOnce(form: HTMLFormElement): void {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) return event.preventDefault();
    isSent = true;
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
    showStatus("form-status", "One moment …");
  });
  // When the customer goes back, the browser may show the page as it was left.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    isSent = false;
    for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
    showStatus("form-status", "");
  });
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");
const formatNumber = (text: string): string =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/\d{4}(?=\d)/g, "$& ");
const formatCode = (text: string): string => digitsOf(text).slice(0, 3);

function formatExpiry(text: string): string {
  const digits = digitsOf(text.replace(/^\s*(\d)\s*[/.-]/, "0$1"))
    .replace(/^[2-9]/, "0$&")
    .slice(0, 6);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

/** Formats a field with each input. The caret stays behind the same digit. */
function formatWhileTyping(field: HTMLInputElement, format: (text: string) => string): void {
  field.addEventListener("input", () => {
    const selectionStart = field.selectionStart ?? field.value.length;
    const isAtEnd = selectionStart === field.value.length;
    const before = digitsOf(field.value.slice(0, selectionStart)).length;
    const text = format(field.value);
    if (text === field.value) return;
    field.value = text;
    if (isAtEnd) return;
    let caret = 0;
    for (let seen = 0; seen < before && caret < text.length; caret++)
      if (/\d/.test(text.charAt(caret))) seen++;
    field.setSelectionRange(caret, caret);
  });
}

function showError(field: HTMLInputElement, text: string): void {
  field.setCustomValidity(text);
  if (text) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  showStatus(`${field.id}-error`, text);
}

function enterCards(number: HTMLInputElement, expiry: HTMLInputElement, code: HTMLInputElement): void {
  const fields = [number, expiry, code];
  const cards = [...document.querySelectorAll<HTMLElement>("[data-number]")];
  formatWhileTyping(number, formatNumber);
  formatWhileTyping(expiry, formatExpiry);
  formatWhileTyping(code, formatCode);
  // A number that may be of a real card does not leave the browser.
  number.addEventListener("change", () => {
    const isKnown = cards.some(({ dataset }) => digitsOf(dataset.number ?? "") === digitsOf(number.value));
    const text = "This is not a test card. Choose one of the test cards, and never enter a real card here.";
    showError(number, isKnown || number.value === "" ? "" : text);
  });
  const mark = (chosen: HTMLElement | null) => {
    for (const card of cards) card.removeAttribute("aria-current");
    chosen?.setAttribute("aria-current", "true");
  };
  for (const field of fields) field.addEventListener("input", () => showError(field, ""));
  number.addEventListener("input", () => mark(null));
  for (const card of cards) {
    card.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      number.value = card.dataset.number ?? "";
      expiry.value = card.dataset.expiry ?? "";
      code.value = card.dataset.code ?? "";
      for (const field of fields) showError(field, "");
      mark(card);
      showStatus("form-status", `The card ending in ${number.value.slice(-4)} is filled in.`);
      number.form?.querySelector("button")?.focus();
    });
  }
}

find("problem", HTMLElement)?.focus();
for (const form of document.forms) sendOnce(form);
const number = find("number", HTMLInputElement);
const expiry = find("expiry", HTMLInputElement);
const code = find("code", HTMLInputElement);
if (number && expiry && code) enterCards(number, expiry, code);
