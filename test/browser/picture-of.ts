import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Scene } from "@babylonjs/core/scene";

/**
 * The present content of a scene's canvas, as the address of a PNG. A screenshot of the page shows the browser's latest output on the
 * screen, which is older on a busy machine.
 */
export function pictureOf(engine: AbstractEngine, scene: Scene): string {
  engine.beginFrame();
  scene.render();
  engine.endFrame();
  return engine.getRenderingCanvas()!.toDataURL("image/png");
}

declare global {
  /** The picture of the page, once it has built its scene. */
  var drawnPicture: () => string;
}
