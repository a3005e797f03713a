/** Fields of forms, each with its label. */
import type { Signal } from "@preact/signals";
import { type ComponentChildren, toChildArray } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  label: string;
  value: Signal<string>;
  /** Shown below the field. */
  hint?: string;
  placeholder?: string;
  required?: boolean;
}

export function TextField({
  label,
  value,
  hint,
  mono,
  list,
  ...rest
}: FieldProps & {
  mono?: boolean;
  list?: readonly string[];
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        class={mono ? "mono" : ""}
        value={value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
        list={list ? `${id}-list` : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        {...rest}
      />
      {list && (
        <datalist id={`${id}-list`}>
          {list.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A field of several lines, for JSON and long texts. */
export function AreaField({
  label,
  value,
  hint,
  rows = 6,
  mono,
  ...rest
}: FieldProps & { rows?: number; mono?: boolean }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        class={mono ? "mono" : ""}
        value={value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
        aria-describedby={hint ? `${id}-hint` : undefined}
        spellcheck={false}
        {...rest}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A choice among options, as values or as [value, text]. */
export function SelectField({
  label,
  value,
  options,
  hint,
}: FieldProps & { options: readonly (string | readonly [value: string, text: string])[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
        aria-describedby={hint ? `${id}-hint` : undefined}
      >
        {options.map((option) => {
          const [key, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option key={key} value={key} selected={key === value.value}>
              {text}
            </option>
          );
        })}
      </select>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A form. Its button is an `Action` that `submits`. */
export const Form = ({ children }: { children: ComponentChildren }) => (
  <form class="form">{toChildArray(children)}</form>
);
