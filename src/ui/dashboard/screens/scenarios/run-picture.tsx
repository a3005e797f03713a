/** The run of a scenario as a picture, drawn again after each of its steps. */
import { useEffect } from "preact/hooks";
import { tell } from "../../../../documents/story/story.js";
import { controlClient } from "../../api/control.js";
import { Loaded } from "../../pieces/layout.js";
import { StoryPicture } from "../../pieces/story-picture.js";
import { useResource } from "../../state/resource.js";

interface RunPictureProps {
  /** Account that it runs on. */
  account: string;
  name: string;
  /** Number of steps that have ended. */
  steps: number;
}

/** Maximum number of activities that are drawn. */
const maxDrawn = 1_000;

export default function RunPicture({ account, name, steps }: RunPictureProps) {
  const read = useResource(
    async () =>
      (await controlClient(account).call("listActivity", { query: { limit: maxDrawn } })).value.items,
    [account],
  );
  useEffect(() => void read.reload(), [steps]);
  return (
    <Loaded of={read}>
      {(newestFirst) => <StoryPicture story={tell(newestFirst.toReversed())} title={name} />}
    </Loaded>
  );
}
