export const conversionOutcomes = {
  converted: "the file is converted",
  unreadable: "the file cannot be read, 422 file_unreadable",
} as const;
