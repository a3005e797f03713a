/** A client of the service behind the recording proxy, and the proxy itself. */
import { onTestFinished } from "vitest";
import { serviceDocument } from "../../../src/documents/contracts.js";
import { ServiceContract } from "../../../src/drift/compare/contract.js";
import {
  type PassedReport,
  RecordingProxy,
  type RecordingProxyOptions,
} from "../../../src/drift/record/proxy.js";
import { resolveAssumptions } from "../../../src/service/assumptions.js";
import { formOf, formType, type Part } from "../../support/forms.js";
import { type Reply, read } from "../../support/sandbox.js";

const contract = new ServiceContract(serviceDocument("http://127.0.0.1", resolveAssumptions()));

export interface ProxiedClient {
  readonly proxy: RecordingProxy;
  readonly reports: readonly PassedReport[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  upload(path: string, parts: readonly Part[]): Promise<Reply>;
}

/** Opens a proxy in front of the service, and a client with this key. The proxy closes with the test. */
export async function proxiedClient(
  baseUrl: string,
  key: string,
  options: Partial<RecordingProxyOptions> = {},
): Promise<ProxiedClient> {
  const reports: PassedReport[] = [];
  const proxy = await RecordingProxy.open({
    baseUrl,
    port: 0,
    allowsLiveKeys: false,
    contract,
    now: () => Date.parse("2026-03-01T09:00:00Z"),
    onPassed: (report) => void reports.push(report),
    ...options,
  });
  onTestFinished(() => proxy.close());
  const send = (path: string, { headers, ...init }: RequestInit = {}) =>
    fetch(proxy.url + path, { ...init, headers: { "X-Service-Key": key, ...(headers as object) } });
  return {
    proxy,
    reports,
    fetch: send,
    send: async (method, path, body) =>
      read(
        await send(path, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
        }),
      ),
    upload: async (path, parts) =>
      read(
        await send(path, {
          method: "POST",
          headers: { "Content-Type": formType },
          body: new Uint8Array(formOf(parts)),
        }),
      ),
  };
}
