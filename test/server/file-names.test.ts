/** File names in the Content-Disposition header. */
import { expect, it } from "vitest";
import { formatAttachment } from "../../src/server/reply.js";

it.each([
  ["report.docx", "report.docx", "report.docx"],
  ["annual report.v2.docx", "annual report.v2.docx", "annual%20report.v2.docx"],
  ["Ẹ̀kọ́ ọ̀fẹ́.pdf", "Eko ofe.pdf", "%E1%BA%B8%CC%80k%E1%BB%8D%CC%81%20%E1%BB%8D%CC%80f%E1%BA%B9%CC%81.pdf"],
  ["日本.pdf", "__.pdf", "%E6%97%A5%E6%9C%AC.pdf"],
  ["🎵.mp3", "_.mp3", "%F0%9F%8E%B5.mp3"],
  ['a"b\\c.wav', 'a\\"b\\\\c.wav', "a%22b%5Cc.wav"],
  ["it's (1)*.zip", "it's (1)*.zip", "it%27s%20%281%29%2A.zip"],
  ["a\r\nSet-Cookie: b.zip", "a__Set-Cookie: b.zip", "a%0D%0ASet-Cookie%3A%20b.zip"],
  ["half \ud83c.zip", "half _.zip", "half%20%EF%BF%BD.zip"],
])("%j is sent as an ASCII fallback and in full", (name, plain, whole) => {
  expect(formatAttachment(name)).toBe(`attachment; filename="${plain}"; filename*=UTF-8''${whole}`);
});
