/** An event: when and by which operations it is sent, with its headers and body. */
import type { ApiEvent, Contract } from "../../api/operations.js";
import { Json, Text } from "../../pieces/code.js";
import { Detail, FactList, Section } from "../../pieces/layout.js";
import { href } from "../../state/route.js";
import { AssumptionLinks } from "../assumptions/assumptions.js";
import { Body, FieldList, parameterField } from "./schema.js";

interface EventProps {
  event: ApiEvent;
  contract: Contract;
  /** Address of the list. */
  back: string;
}

export function Event({ event, contract, back }: EventProps) {
  const { event: kind, description, headers, body, answers, assumptions } = event;
  const causes = contract.items.filter(({ emits }) => emits.includes(kind));
  return (
    <Detail title={<code>{kind}</code>} back={back}>
      <p>
        <b>
          <Text text={description} />
        </b>
      </p>
      <FactList
        rows={[
          ["Sent", "By POST to each webhook endpoint that is registered for it"],
          [
            "Caused by",
            causes.length > 0 && (
              <span class="links">
                {causes.map(({ id, summary }) => (
                  <a key={id} href={href(["reference", id])}>
                    {summary}
                  </a>
                ))}
              </span>
            ),
          ],
        ]}
      />
      <p class="actions">
        <a class="button" href={href(["webhooks", "send"], { event: kind })}>
          Send it
        </a>
        <a class="button" href={href(["webhooks"], { event: kind })}>
          Deliveries
        </a>
      </p>
      <Section title="Headers">
        <FieldList fields={headers.map(parameterField)} />
      </Section>
      <Section title="Body">
        <Body schema={body.schema} />
      </Section>
      <Section title="Example">
        <Json value={body.example} label="Example of the body" />
      </Section>
      <Section title="Answers of the endpoint">
        <FactList rows={answers.map(({ status, description }) => [status, description])} />
      </Section>
      <AssumptionLinks ids={assumptions} />
    </Detail>
  );
}
