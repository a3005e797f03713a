/** Choice of the account that is shown: the API key of a call selects its account. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api/control.js";
import { plural } from "../pieces/format.js";
import { Icon } from "../pieces/icons.js";
import { Tag } from "../pieces/layout.js";
import { useResource } from "../state/resource.js";
import { href, route } from "../state/route.js";
import { accounts, chosenAccount, labelOf, shownAccount } from "../state/session.js";

const none: readonly never[] = [];
const pollMs = 10_000;

/** Shows the account in use, and below it all that are, the last used first. */
export function AccountPicker() {
  const own = useResource(() => call("getAccount"), [chosenAccount.value]);
  const all = useResource(() => call("listAccounts"));
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) all.reload();
    }, pollMs);
    return () => clearInterval(timer);
  }, [all]);
  useEffect(() => {
    if (!isOpen.value) return;
    const close = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) isOpen.value = false;
    };
    addEventListener("pointerdown", close);
    addEventListener("focusin", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("focusin", close);
    };
  }, [isOpen.value]);

  const account = own.data.value;
  const items = all.data.value?.items ?? none;
  useEffect(() => {
    accounts.value = items;
    shownAccount.value = account?.id ?? null;
  }, [account, items]);
  const label = (account && labelOf(account.id)) ?? account?.id ?? chosenAccount.value;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what its button has opened
    <div
      class="picker"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen.value) return;
        event.preventDefault();
        isOpen.value = false;
        box.current?.querySelector("button")?.focus();
      }}
    >
      <button
        type="button"
        class="picker-button"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
          all.reload();
        }}
      >
        <span class="visually-hidden">Account: </span>
        <span class="picker-name">{label ?? "…"}</span>
        {account?.mode === "live" && <Tag tone="wait">live</Tag>}
        <Icon name="down" />
      </button>
      {isOpen.value && (
        <div class="picker-menu">
          <ul aria-label="Accounts">
            {items.map(({ id, label, mode, requests, messages, deliveries }) => (
              <li key={id}>
                <a
                  href={href([route.value.screen], { account: id })}
                  aria-current={id === account?.id ? "true" : undefined}
                  onClick={() => {
                    isOpen.value = false;
                  }}
                >
                  <span class="picker-name">{label ?? id}</span>
                  <Tag tone={mode === "live" ? "wait" : "over"}>{mode}</Tag>
                  <small>
                    {plural(requests, "request")} · {plural(messages, "message")} ·{" "}
                    {deliveries === 1 ? "1 delivery" : `${deliveries.toLocaleString("en")} deliveries`}
                  </small>
                </a>
              </li>
            ))}
          </ul>
          <p class="hint">Each API key has its own account, which appears here after its first request.</p>
        </div>
      )}
    </div>
  );
}
