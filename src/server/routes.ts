/** Finds the operation of a request: a look-up for fixed paths, a short walk for those with parameters. */
import { type AnyOperation, type Method, methodOf, pathOf } from "../contract/operation.js";

/** An operation with what its layer binds to it. */
export interface Mounted {
  readonly operation: AnyOperation;
  readonly layer: Layer;
}

/** The service under /v1, or the control API under /_sandbox. */
export type Layer = "service" | "control";

export type Params = Readonly<Record<string, string>>;

export type Found =
  | { readonly kind: "operation"; readonly mounted: Mounted; readonly params: Params }
  | { readonly kind: "method"; readonly allow: string; readonly layer: Layer }
  | null;

type ByMethod = Map<string, Mounted>;

interface Pattern {
  readonly segments: readonly string[];
  readonly methods: ByMethod;
}

const none: Params = Object.freeze({});

export class Routes {
  readonly #fixed = new Map<string, ByMethod>();
  readonly #patterns = new Map<number, Pattern[]>();

  constructor(mounted: readonly Mounted[]) {
    for (const entry of mounted)
      this.#methodsAt(pathOf(entry.operation)).set(methodOf(entry.operation), entry);
  }

  find(method: string, path: string): Found {
    const fixed = this.#fixed.get(path);
    if (fixed) return pick(fixed, method, none);
    const segments = path.split("/");
    for (const pattern of this.#patterns.get(segments.length) ?? []) {
      const params = match(pattern.segments, segments);
      if (params) return pick(pattern.methods, method, params);
    }
    return null;
  }

  #methodsAt(path: string): ByMethod {
    if (!path.includes("{")) {
      const methods = this.#fixed.get(path) ?? new Map<Method, Mounted>();
      this.#fixed.set(path, methods);
      return methods;
    }
    const segments = path.split("/");
    const patterns = this.#patterns.get(segments.length) ?? [];
    this.#patterns.set(segments.length, patterns);
    const shape = (parts: readonly string[]) =>
      parts.map((part) => (part.startsWith("{") ? "{}" : part)).join("/");
    const known = patterns.find((pattern) => shape(pattern.segments) === shape(segments));
    if (known) return known.methods;
    const pattern: Pattern = { segments, methods: new Map() };
    patterns.push(pattern);
    return pattern.methods;
  }
}

function pick(methods: ByMethod, method: string, params: Params): Found {
  const mounted = methods.get(method);
  if (mounted) return { kind: "operation", mounted, params };
  const [first] = methods.values();
  return { kind: "method", allow: [...methods.keys()].join(", "), layer: first?.layer ?? "service" };
}

function match(pattern: readonly string[], segments: readonly string[]): Params | null {
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const expected = pattern[i] as string;
    const actual = segments[i] as string;
    if (expected.startsWith("{")) {
      if (actual === "") return null;
      try {
        params[expected.slice(1, -1)] = decodeURIComponent(actual);
      } catch {
        return null;
      }
    } else if (expected !== actual) {
      return null;
    }
  }
  return params;
}
