/** Choice of the account that is shown: the API key of a call selects its account. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { accountOfKey, call } from "../api/control.js";
import { Action } from "../pieces/button.js";
import { Form, TextField } from "../pieces/field.js";
import { plural } from "../pieces/format.js";
import { Icon } from "../pieces/icons.js";
import { Tag } from "../pieces/layout.js";
import { useResource } from "../state/resource.js";
import { go, href, route } from "../state/route.js";
import { accounts, chosenAccount, keepServiceKey, labelOf, shownAccount } from "../state/session.js";

const none: readonly never[] = [];
const pollMs = 10_000;

/** Shows the chosen account, and below it all accounts in use, the last used first. */
export function AccountPicker() {
  const own = useResource(() => call("getAccount"), [chosenAccount.value]);
  const all = useResource(() => call("listAccounts"));
  const isOpen = useSignal(false);
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) all.reload();
    }, pollMs);
    return () => clearInterval(timer);
  }, [all]);

  const account = own.data.value;
  const items = all.data.value?.items ?? none;
  useEffect(() => {
    accounts.value = items;
    shownAccount.value = account?.id ?? null;
  }, [account, items]);
  const listed = items.find(({ id }) => id === account?.id);
  const label =
    account?.name ?? (account && labelOf(account.id)) ?? listed?.name ?? account?.id ?? chosenAccount.value;
  const close = () => menu.current?.hidePopover();
  return (
    <div class="picker">
      <button type="button" class="button picker-button" popovertarget="accounts">
        <span class="visually-hidden">Account: </span>
        <span class="cut">{label ?? "…"}</span>
        {account?.mode === "live" && <Tag tone="wait">live</Tag>}
        <Icon name="down" />
      </button>
      <div
        class="picker-menu"
        id="accounts"
        popover="auto"
        ref={menu}
        onToggle={({ newState }) => {
          isOpen.value = newState === "open";
          if (isOpen.value) all.reload();
        }}
      >
        {isOpen.value && (
          <>
            <ul aria-label="Accounts">
              {items.map(({ id, label, name, mode, requests, messages, deliveries }) => (
                <li key={id}>
                  <a
                    class="item"
                    href={href([route.value.screen], { account: id })}
                    aria-current={id === account?.id ? "true" : undefined}
                    onClick={close}
                  >
                    <span class="cut grow" title={id}>
                      {label ?? name ?? id}
                    </span>
                    <Tag tone={mode === "live" ? "wait" : "over"}>{mode}</Tag>
                    <span class="hint">
                      {plural(requests, "request")} · {plural(messages, "message")} ·{" "}
                      {deliveries === 1 ? "1 delivery" : `${deliveries.toLocaleString("en")} deliveries`}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            <OpenKey onOpened={close} />
            {account && (
              <NameAccount
                key={account.id}
                name={account.name}
                onNamed={async () => {
                  await Promise.all([own.reload(), all.reload()]);
                  close();
                }}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

/** Opens the account of an API key, which need not have been used before. */
function OpenKey({ onOpened }: { onOpened(): void }) {
  const key = useSignal("");
  const open = async () => {
    const account = await accountOfKey(key.value.trim());
    keepServiceKey(key.value.trim(), account);
    go(href([route.value.screen], { account }));
    onOpened();
  };
  return (
    <Form>
      <TextField
        label="Open the account of a key"
        value={key}
        placeholder="svc_test_…"
        hint="Each API key has its own account, which is listed here after its first request."
        mono
        required
      />
      <Action submits run={open}>
        Open
      </Action>
    </Form>
  );
}

function NameAccount({ name, onNamed }: { name: string | null; onNamed(): Promise<void> }) {
  const text = useSignal(name ?? "");
  const save = async () => {
    await call("updateAccount", { body: { name: text.value.trim() || null } });
    await onNamed();
  };
  return (
    <Form>
      <TextField label="Name of this account" value={text} hint="Leave empty for none." />
      <Action submits run={save}>
        Save
      </Action>
    </Form>
  );
}
