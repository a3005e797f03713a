/** Grades of an exam with their meanings, for its card and the dashboard. */
export const examGrades = {
  A: "no finding",
  B: "the tests do not notice what they should",
  C: "the client does not absorb what it should",
  D: "the client does harm, or does not end by itself",
} as const;

export type ExamGrade = keyof typeof examGrades;
