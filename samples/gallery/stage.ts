import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { createStudio, type Studio } from "../../site/examples/studio";
import type { SceneDefinition } from "../scene";

/** The views of the scenes are for a wider lens than the studio's. */
const LENS = Math.tan(0.36) / Math.tan(0.3);

/** Everything that is drawn besides the scene itself: light, ground, backdrop and camera of the examples' studio. */
export async function createStage(
  engine: AbstractEngine,
  { view, groundHeight }: Pick<SceneDefinition, "view" | "groundHeight">,
): Promise<Studio> {
  const { target, alpha, beta } = view;
  const radius = LENS * view.radius;
  const studio = await createStudio({
    engine,
    floor: "#7f8794",
    wall: "#bcc5d1",
    glow: "rgba(255,249,238,0.8)",
    ground: groundHeight,
    target: new Vector3(...target),
    radius,
    alpha,
    beta,
    aspect: 1.2,
  });
  studio.camera.panningSensibility = 1500;
  return studio;
}
