import { catalogue } from "./catalogue";
import { runCapture } from "./capture-mode";
import { createEngine } from "./engine";
import { Gallery } from "./gallery";
import { playableNamed } from "./playables";
import type { Query } from "./query";

/**
 * Runs a scene in the page.
 *
 * @returns the state of the page, when its first image can be drawn
 * @throws PliantError for an unknown scene
 */
export async function play(query: Query): Promise<"captured" | "running"> {
  const canvas = document.querySelector<HTMLCanvasElement>("#view")!;
  const definition = playableNamed(query.scene ?? Object.keys(catalogue[0].scenes)[0]);
  const engine = await createEngine(canvas, query.engine);
  if (query.capture) {
    await runCapture(engine, { ...query, definition });
    return "captured";
  }
  const gallery = new Gallery(engine, query);
  await gallery.show(definition, query.settings);
  return "running";
}
