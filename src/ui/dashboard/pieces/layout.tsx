/** Building blocks of all screens. */
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Resource } from "../state/resource.js";
import { Code } from "./code.js";
import { Icon } from "./icons.js";
import { notifyError } from "./toasts.js";

/** Shows a list beside the open item, which covers the list on a narrow screen. */
export const Split = ({ list, detail }: { list: ComponentChildren; detail: ComponentChildren | null }) => (
  <div class={`split ${detail ? "open" : ""}`}>
    <div class="split-list">{list}</div>
    {detail && <div class="split-detail">{detail}</div>}
  </div>
);

interface DetailProps {
  title: ComponentChildren;
  /** Address of the list, to which closing leads. */
  back: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The open item, with a heading and a link back. */
export const Detail = ({ title, back, actions, children }: DetailProps) => (
  <section class="detail" aria-label="Details">
    <header class="detail-head">
      <a class="button plain" href={back} aria-label="Close" title="Close (Esc)">
        <Icon name="close" />
      </a>
      <h2>{title}</h2>
      {actions && <div class="actions">{actions}</div>}
    </header>
    <div class="detail-body">{children}</div>
  </section>
);

/** Bar above a list, with its filters and actions. */
export const Toolbar = ({ children }: { children: ComponentChildren }) => (
  <div class="toolbar">{children}</div>
);

interface SectionProps {
  title: string;
  /** Level of the heading. Default 3; 2 if there is no open item above it. */
  level?: 2 | 3;
  children: ComponentChildren;
}

/** A titled part of a detail, or of a screen that is not a list. */
export const Section = ({ title, level = 3, children }: SectionProps) => {
  const Heading = `h${level}` as const;
  return (
    <section class="section">
      <Heading>{title}</Heading>
      {children}
    </section>
  );
};

/** Lists names and values. Rows without a value are left out. */
export const FactList = ({
  rows,
}: {
  rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Colour of a state or kind, by its meaning. */
export type Tone = "good" | "wait" | "bad" | "calm" | "over";
export const Tag = ({ tone = "over", children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`tag ${tone}`}>{children}</span>
);

interface EmptyProps {
  title: string;
  /** Command that brings something onto the screen, to copy. */
  command?: string;
  children?: ComponentChildren;
}

/** Text of an empty screen: what to do first. */
export const Empty = ({ title, command, children }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
    {command && <Code text={command} label="Command" />}
  </div>
);

/** Shows a resource once it has been read, or the error that prevented it. */
export function Loaded<T>({ of, children }: { of: Resource<T>; children: (data: T) => ComponentChildren }) {
  const data = of.data.value;
  const error = of.error.value;
  if (data !== null) return <>{children(data)}</>;
  if (error)
    return (
      <p class="problem" role="alert">
        {error.message}
      </p>
    );
  return <p class="loading" aria-busy="true" />;
}

/** Links to the parts of a screen. */
export const Tabs = ({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (readonly [name: string, address: string, isOpen: boolean])[];
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(([name, address, isOpen]) => (
      <a key={name} class="item" href={address} aria-current={isOpen ? "true" : undefined}>
        {name}
      </a>
    ))}
  </nav>
);

/** Returns a component that loads another one and shows it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded: Signal<ComponentType<Props> | null> = signal(null);
  return function Later(props) {
    useEffect(() => {
      load().then((component) => {
        loaded.value = component;
      }, notifyError);
    }, []);
    const Show = loaded.value;
    return Show ? <Show {...props} /> : <p class="loading" aria-busy="true" />;
  };
}
