/** What a scan can conclude, of whatever media. */
export const scanOutcomes = {
  authentic: "verdict likely_authentic",
  likely_ai: "verdict likely_ai",
  likely_edited: "verdict likely_edited",
  inconclusive: "verdict inconclusive",
} as const;
