/** Writes calls as an .http file, with the response handlers of JetBrains IDEs, which httpYac runs as well. */
import {
  type ExportInput,
  formatPlace,
  type GivenVariable,
  groupsOf,
  type SampleCall,
  sessionTokenVariable,
} from "./calls.js";

const boundary = "a-form-of-the-sandbox";

function handlerOf(gives: readonly GivenVariable[]): string[] {
  const sets = gives.map(({ variable, pointer }) => {
    return `client.global.set("${variable}", response.body${formatPlace(pointer)});`;
  });
  return sets.length === 0 ? [] : ["", `> {% ${sets.join(" ")} %}`];
}

const partOf = (disposition: string, lines: readonly string[]): string[] => [
  `--${boundary}`,
  `Content-Disposition: form-data; ${disposition}`,
  ...lines,
];

function bodyOf({ body, files }: SampleCall): string[] {
  if (files)
    return [
      "",
      ...Object.entries(body ?? {}).flatMap(([name, value]) => partOf(`name="${name}"`, ["", String(value)])),
      ...files.flatMap(({ field, path, type }) =>
        partOf(`name="${field}"; filename="${path.split("/").at(-1)}"`, [
          `Content-Type: ${type}`,
          "",
          `< ./${path}`,
        ]),
      ),
      `--${boundary}--`,
    ];
  return body ? ["", JSON.stringify(body, null, 2)] : [];
}

const typeOf = ({ body, files }: SampleCall): string[] => {
  if (files) return [`Content-Type: multipart/form-data; boundary=${boundary}`];
  return body ? ["Content-Type: application/json"] : [];
};

const formatCall = (call: SampleCall): string =>
  [
    `### ${call.summary}`,
    `# @name ${call.name}`,
    `${call.method} {{baseUrl}}${call.path}`,
    call.auth === "session" ? `Authorization: Bearer {{${sessionTokenVariable}}}` : "X-Service-Key: {{key}}",
    ...typeOf(call),
    ...bodyOf(call),
    ...handlerOf(call.gives),
    "",
  ].join("\n");

export const toHttp = ({ title, description, calls }: ExportInput): string =>
  [
    `# ${title}`,
    ...description.split("\n").map((line) => `# ${line}`.trimEnd()),
    "",
    ...groupsOf(calls).flatMap(({ members }) => members.map(formatCall)),
  ].join("\n");

/** Returns the environment file of the .http file. */
export const toHttpEnvironment = ({ baseUrl, key }: ExportInput): object => ({ sandbox: { baseUrl, key } });
