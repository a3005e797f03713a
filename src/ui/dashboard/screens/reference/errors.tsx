/** The errors of an operation with their bodies. Those that most operations have are one line. */
import type { ApiOperation, OperationError } from "../../api/contract.js";
import { Json } from "../../pieces/code.js";
import { plural } from "../../pieces/format.js";
import { Section } from "../../pieces/layout.js";
import { Text } from "../../pieces/text.js";

const ErrorLine = ({ status, code, summary, body }: OperationError) => (
  <details>
    <summary>
      {status} <code>{code}</code> <Text text={summary} />
    </summary>
    <Json value={body} label={`Body of ${code}`} />
  </details>
);

const ErrorLines = ({ errors }: { errors: readonly OperationError[] }) => (
  <>
    {errors.map((error) => (
      <ErrorLine key={`${error.status} ${error.code}`} {...error} />
    ))}
  </>
);

interface ErrorsProps {
  operation: ApiOperation;
  all: readonly ApiOperation[];
}

export function Errors({ operation: { errors }, all }: ErrorsProps) {
  if (errors.length === 0) return null;
  const isCommon = ({ code }: OperationError) =>
    all.filter((one) => one.errors.some((error) => error.code === code)).length > all.length / 2;
  const common = errors.filter(isCommon);
  return (
    <Section title="Errors">
      <div class="reference-errors">
        <ErrorLines errors={errors.filter((error) => !isCommon(error))} />
        {common.length > 0 && (
          <details>
            <summary>{plural(common.length, "error")} that most operations have</summary>
            <ErrorLines errors={common} />
          </details>
        )}
      </div>
    </Section>
  );
}
