export type Inventor = typeof import("./invent.js");

let inventor: Inventor | undefined;

/** For an operation's `prepare`: faker's names are loaded with the first look-up. */
export const loadInventor = (): Inventor | Promise<Inventor> =>
  inventor ??
  import("./invent.js").then((loaded) => {
    inventor = loaded;
    return loaded;
  });
