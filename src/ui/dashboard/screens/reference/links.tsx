/** Links from the reference to what belongs to an operation or event. */
import { Section } from "../../pieces/layout.js";
import { basePath } from "../../state/session.js";

/** Lists the assumptions that an operation or event rests on. */
export const AssumptionLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.length > 0 && (
    <Section title="Assumptions">
      <p class="links">
        {ids.map((id) => (
          <a key={id} href={`${basePath}/docs/assumptions#${id}`}>
            {id}
          </a>
        ))}
      </p>
    </Section>
  );
