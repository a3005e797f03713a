/** The files of fixtures/files that can stand in for an upload. Faces and papers are on pictures of their own. */

interface FixtureFile {
  readonly file: string;
  readonly type: string;
  /** Media types of the uploads that it can stand in for. */
  readonly standsFor: RegExp;
}

const selfie: FixtureFile = { file: "selfie.jpg", type: "image/jpeg", standsFor: /^image\// };
const idCard: FixtureFile = { file: "id-card.png", type: "image/png", standsFor: /^image\// };
/** The best first, for fields that accept several types. */
const fixtures: readonly FixtureFile[] = [
  idCard,
  { file: "order.pdf", type: "application/pdf", standsFor: /^application\/pdf$/ },
  {
    file: "order.docx",
    type: "application/zip",
    standsFor: /^application\/(?:zip|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)$/,
  },
  { file: "tone.wav", type: "audio/wav", standsFor: /^audio\// },
  { file: "clip.mp4", type: "video/mp4", standsFor: /^video\// },
];

const fixturesOf = (field: string): readonly FixtureFile[] =>
  field.includes("selfie") ? [selfie, ...fixtures] : fixtures;

/** Returns the best file for a field that accepts these media types. */
export const fixtureFor = (field: string, types: readonly string[]): FixtureFile =>
  fixturesOf(field).find(({ type }) => types.includes(type)) ?? idCard;

/** Returns a file that can stand in for an upload of this media type, or undefined if none can. */
export const standInFor = (field: string, type: string): FixtureFile | undefined =>
  fixturesOf(field).find(({ standsFor }) => standsFor.test(type));
