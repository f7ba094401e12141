import { resolveParameters } from "../parameters";
import { sceneNamed, scenes } from "../scenes/index";
import { runCapture } from "./capture-mode";
import { createEngine } from "./engine";
import { Gallery } from "./gallery";
import { parseQuery } from "./query";

/** Tests and the command line wait for these states: `running`, `captured` or `failed` in `data-state` of the page. */
async function start(): Promise<void> {
  const query = parseQuery(location.search);
  const canvas = document.querySelector<HTMLCanvasElement>("#view")!;
  document.body.classList.toggle("capture", query.capture);
  const definition = query.scene === undefined ? scenes[0] : sceneNamed(query.scene);
  const values = resolveParameters(definition, query.settings);
  const engine = await createEngine(canvas, query.engine);
  if (query.capture) {
    await runCapture(engine, { definition, values, backend: query.backend, frames: query.frames, view: query.view });
    document.documentElement.dataset.state = "captured";
    return;
  }
  const gallery = new Gallery(engine, query);
  await gallery.show(definition, query.settings);
  document.documentElement.dataset.state = "running";
}

start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const banner = document.querySelector<HTMLElement>("#message")!;
  banner.textContent = message;
  banner.hidden = false;
  document.documentElement.dataset.state = "failed";
  console.error(message);
});
