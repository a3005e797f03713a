/** The folders of the recipes and of the control kits, in the package as in the repository: src/cli and dist/bundle are equally deep. */
import { fileURLToPath } from "node:url";

export const examplesFolder: string = fileURLToPath(new URL("../../examples/", import.meta.url));
export const clientsFolder: string = fileURLToPath(new URL("../../clients/", import.meta.url));
