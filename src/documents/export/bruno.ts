/** Writes calls as a Bruno collection, in the form that Bruno imports. */
import {
  type ExportInput,
  formatPlace,
  type GivenVariable,
  groupsOf,
  type SampleCall,
  sessionTokenVariable,
} from "./calls.js";

const field = (name: string, value: string) => ({ name, value, enabled: true });

/** Bruno keeps values of a reply by expressions. */
const varsOf = (gives: readonly GivenVariable[]) => ({
  req: [],
  res: gives.map(({ variable, pointer }) => ({
    ...field(variable, `res.body${formatPlace(pointer)}`),
    local: false,
  })),
});

function bodyOf({ body, files }: SampleCall): object {
  if (files)
    return {
      mode: "multipartForm",
      multipartForm: [
        ...Object.entries(body ?? {}).map(([name, value]) => ({
          ...field(name, String(value)),
          type: "text",
        })),
        ...files.map(({ field: name, path }) => ({ type: "file", name, value: [path], enabled: true })),
      ],
    };
  return body ? { mode: "json", json: JSON.stringify(body, null, 2) } : { mode: "none" };
}

const toItem = (call: SampleCall, index: number): object => ({
  type: "http-request",
  name: call.name,
  seq: index + 1,
  request: {
    url: `{{baseUrl}}${call.path}`,
    method: call.method,
    headers: call.auth === "session" ? [] : [field("X-Service-Key", "{{key}}")],
    params: [...new URLSearchParams(call.path.split("?")[1])].map(([name, value]) => ({
      ...field(name, value),
      type: "query",
    })),
    body: bodyOf(call),
    auth:
      call.auth === "session"
        ? { mode: "bearer", bearer: { token: `{{${sessionTokenVariable}}}` } }
        : { mode: "none" },
    script: {},
    vars: varsOf(call.gives),
    docs: call.summary,
  },
});

export const toBruno = ({ title, baseUrl, key, calls }: ExportInput): object => ({
  name: title,
  version: "1",
  items: groupsOf(calls).map(({ name, members }) => ({ type: "folder", name, items: members.map(toItem) })),
  environments: [
    {
      name: "sandbox",
      variables: [field("baseUrl", baseUrl), field("key", key)].map((variable) => ({
        ...variable,
        type: "text",
        secret: false,
      })),
    },
  ],
  activeEnvironmentUid: null,
});
