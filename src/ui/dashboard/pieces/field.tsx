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

/** A choice: a value, or a value with its text. */
export type Option = string | readonly [value: string, text: string];

/** Returns the value of a choice and its text. */
export const toPair = (option: Option): readonly [value: string, text: string] =>
  typeof option === "string" ? [option, option] : option;

interface FrameProps {
  label: string;
  hint: string | undefined;
  children(attributes: { id: string; "aria-describedby": string | undefined }): ComponentChildren;
}

/** The label of a field, the field and its hint. */
function Frame({ label, hint, children }: FrameProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": hint ? `${id}-hint` : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
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
  /** Suggestions, as values or as [value, text]. */
  list?: readonly Option[];
}) {
  return (
    <Frame label={label} hint={hint}>
      {(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            class={mono ? "mono" : ""}
            value={value}
            onInput={({ currentTarget }) => {
              value.value = currentTarget.value;
            }}
            list={list ? `${attributes.id}-list` : undefined}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            {...rest}
          />
          {list && (
            <datalist id={`${attributes.id}-list`}>
              {list.map(toPair).map(([option, text]) => (
                <option key={option} value={option} label={text} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Frame>
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
  return (
    <Frame label={label} hint={hint}>
      {(attributes) => (
        <>
          <textarea
            {...attributes}
            rows={rows}
            class={mono ? "mono" : ""}
            value={value}
            onInput={({ currentTarget }) => {
              value.value = currentTarget.value;
            }}
            spellcheck={false}
            {...rest}
          />
        </>
      )}
    </Frame>
  );
}

/** A choice among options, as values or as [value, text]. */
export function SelectField({ label, value, options, hint }: FieldProps & { options: readonly Option[] }) {
  return (
    <Frame label={label} hint={hint}>
      {(attributes) => (
        <>
          <select
            {...attributes}
            value={value}
            onChange={({ currentTarget }) => {
              value.value = currentTarget.value;
            }}
          >
            {options.map(toPair).map(([key, text]) => (
              <option key={key} value={key} selected={key === value.value}>
                {text}
              </option>
            ))}
          </select>
        </>
      )}
    </Frame>
  );
}

/** A form. Its button is an `Action` that `submits`. */
export const Form = ({ children }: { children: ComponentChildren }) => (
  <form class="form">{toChildArray(children)}</form>
);
