/** The retries of webhook deliveries (interface: "Retries"). */
const second = 1_000;
const minute = 60 * second;

/** Delays between the attempts of a delivery, in ms on the account's clock. */
export const retryDelays = [1 * second, 5 * second, 30 * second, 5 * minute, 30 * minute] as const;

export const maxAttempts = 1 + retryDelays.length;

const formatDelay = (ms: number): string => (ms < minute ? `${ms / second} s` : `${ms / minute} min`);

/** The delays as text: `1 s, 5 s, 30 s, 5 min and 30 min`. */
export const retryDelaysText = retryDelays
  .map(formatDelay)
  .join(", ")
  .replace(/, ([^,]*)$/, " and $1");
