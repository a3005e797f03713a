/** How a refusal looks on the wire; assumption errors.body. */
import * as Type from "typebox";
import type { Assumptions } from "./assumptions.js";
import { errors, type Refusal } from "./errors.js";
import { exactly, nullable } from "./schemas.js";

const Detail = exactly({ param: Type.String(), code: Type.String(), message: Type.String() });

/** The default shape; the control API always uses it. */
export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      type: Type.String(),
      code: Type.String(),
      message: Type.String(),
      param: nullable(Type.String()),
      details: Type.Array(Detail),
      request_id: Type.String(),
    }),
  },
  { "x-assumption": "errors.body" },
);

export interface RenderedError {
  status: number;
  contentType: string;
  body: Record<string, unknown>;
}

export function statusOf(code: keyof typeof errors, assumptions: Assumptions): number {
  const kind = errors[code];
  return "validation" in kind ? Number(assumptions["errors.validation_status"]) : kind.status;
}

export function renderError(refusal: Refusal, requestId: string, assumptions: Assumptions): RenderedError {
  const { code, message, options } = refusal;
  const { type } = errors[code];
  const status = statusOf(code, assumptions);
  const details = options.details ?? (options.param ? [{ param: options.param, code, message }] : []);
  const shared = {
    code,
    message,
    param: options.param ?? null,
    details,
    request_id: requestId,
    ...options.extra,
  };
  switch (assumptions["errors.body"]) {
    case "problem":
      return {
        status,
        contentType: "application/problem+json",
        body: {
          type: `urn:standin:error:${code}`,
          title: errors[code].message,
          status,
          detail: message,
          ...shared,
        },
      };
    case "flat":
      return { status, contentType: "application/json; charset=utf-8", body: { code, message } };
    default:
      return { status, contentType: "application/json; charset=utf-8", body: { error: { type, ...shared } } };
  }
}
