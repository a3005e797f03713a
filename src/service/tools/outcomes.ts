export const conversionOutcomes = {
  converted: "the file is converted",
  unreadable: "the file cannot be read, file_unreadable",
} as const;
