/** Pictures of QR codes. */

type Library = typeof import("uqr");
let library: Library | undefined;

/** For `prepare`: the library is loaded with the first code that is shown. */
export const loadQr = (): Library | Promise<Library> =>
  library ??
  import("uqr").then((loaded) => {
    library = loaded;
    return loaded;
  });

/** Modules of white around the code, as its standard asks for. */
const quietZone = 4;

/** An SVG as a data URI. */
export function drawQr({ renderSVG }: Library, text: string): string {
  const svg = renderSVG(text, { ecc: "M", border: quietZone });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
