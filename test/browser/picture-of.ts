import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Scene } from "@babylonjs/core/scene";

/** What the canvas shows of a scene now, as the address of a PNG. A screenshot of the page shows what the browser has put on the screen by then, and that is older on a busy machine. */
export function pictureOf(engine: AbstractEngine, scene: Scene): string {
  engine.beginFrame();
  scene.render();
  engine.endFrame();
  return engine.getRenderingCanvas()!.toDataURL("image/png");
}

declare global {
  /** What the page shows, once it has built its scene. */
  var drawnPicture: () => string;
}
