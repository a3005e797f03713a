/** Line icons, 20 px. They are decoration, and stand beside something with a name. */
const shapes = {
  activity: "M2.5 10h3.2l2.3-6 3.8 12 2.3-6h3.4",
  inbox: "M3 11.5 5 4h10l2 7.5v4.5H3zM3 11.5h4.2l1 2h3.6l1-2H17",
  webhooks: "M17 3 8.6 11.4M17 3l-5.2 14-3.2-5.6L3 8.2z",
  records: "M6.5 4.5h-2v4h2zM15.5 7h-3v4h3zM6.5 12h-2v4h2zM6.5 6.500h3V9h3M6.500 14h3v-5",
  rules: "M3.500 6h7M14.500 6h2M3.500 14h2M9.500 14h7M12.500 4v4M7.500 12v4",
  scenarios: "M6.500 4v12l9.500-6z",
  clock: "M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400M10 6v4.200l2.800 1.800",
  docs: "M10 5.500C8.500 4.300 6 3.800 3 4v11.500c3-.2 5.500.3 7 1.500 1.500-1.200 4-1.700 7-1.500V4c-3-.2-5.500.3-7 1.500zM10 5.500V17",
  copy: "M7 7V3.500h9.500V13H13M3.500 7H13v9.500H3.500z",
  check: "M4 10.500 8 14.500 16 6",
  close: "M5 5l10 10M15 5 5 15",
  arrow: "M3.500 10H16M11.500 5.500 16 10l-4.500 4.500",
  money: "M3 5.500h14v9H3zM10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4M5.500 10h.1M14.400 10h.1",
  back: "M12 4.500 6.500 10l5.500 5.500",
  down: "M5 7.500 10 12.500l5-5",
  external: "M8 4H4v12h12v-4M11.500 3.500H16.500V8.500M16.500 3.500 9 11",
  play: "M6.500 4v12l9.500-6z",
  pause: "M7 4.500v11M13 4.500v11",
  reply: "M8 5 3.500 9.500 8 14M3.500 9.500H12a4.500 4.500 0 0 1 4.500 4.500v1.500",
  plus: "M10 4v12M4 10h12",
  exam: "M5 3h10v14H5zM7.500 7h5M7.500 10h5M7.500 13h2.500",
  coverage: "M4 16.500v-7M8 16.500v-12M12 16.500v-9M16 16.500v-5",
  question:
    "M10 2.800a7.200 7.200 0 1 0 0 14.400 7.200 7.200 0 0 0 0-14.400M7.800 8.200a2.200 2.200 0 1 1 3.400 1.800c-.8.5-1.200.9-1.200 1.800M10 14.200h.1",
} as const;

export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { name: IconName }) => (
  <svg
    class="icon"
    viewBox="0 0 20 20"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={shapes[name]} />
  </svg>
);

/** The logo: a person and the outline of a stand-in. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#0b6e4f" />
    <circle cx="20" cy="16" r="6.4" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="3 1.47" />
    <circle cx="12" cy="16" r="8.2" fill="#0b6e4f" />
    <circle cx="12" cy="16" r="6.4" fill="#fff" />
  </svg>
);
