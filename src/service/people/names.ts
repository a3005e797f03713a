import type { Person } from "./person.js";

/** "Adaeze Ngozi Okafor". */
export const fullName = ({ first_name, middle_name, last_name }: Person): string =>
  [first_name, middle_name, last_name].filter(Boolean).join(" ");
