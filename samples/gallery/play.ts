import { resolveParameters } from "../parameters";
import { sceneNamed, scenes } from "../scenes/index";
import { runCapture } from "./capture-mode";
import { createEngine } from "./engine";
import { Gallery } from "./gallery";
import type { Query } from "./query";

/**
 * Runs a scene in the page.
 *
 * @returns the state of the page, when its first image can be drawn
 * @throws PliantError for an unknown scene or parameter, or a value out of range
 */
export async function play(query: Query): Promise<"captured" | "running"> {
  const canvas = document.querySelector<HTMLCanvasElement>("#view")!;
  const definition = query.scene === undefined ? scenes[0] : sceneNamed(query.scene);
  const values = resolveParameters(definition, query.settings);
  const engine = await createEngine(canvas, query.engine);
  if (query.capture) {
    await runCapture(engine, { ...query, definition, values });
    return "captured";
  }
  const gallery = new Gallery(engine, query);
  await gallery.show(definition, query.settings);
  return "running";
}
