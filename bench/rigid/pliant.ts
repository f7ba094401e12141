import { RigidWorld, type RigidQuality } from "../../src/index";
import { shapeOf } from "./judge";
import type { RigidCast } from "./cast";
import type { RigidEngine } from "./engine";

/** Pliant's CPU lane. */
export function pliantEngine({ bodies }: RigidCast, quality: RigidQuality): RigidEngine {
  const world = new RigidWorld({ quality, sleeping: false });
  const made = bodies.map(({ shape, isDynamic, mass, friction, position, rotation }) =>
    world.addBody({
      shape: shapeOf(shape),
      motion: isDynamic ? "dynamic" : "static",
      ...(isDynamic ? { mass } : {}),
      friction,
      position,
      rotation,
    }),
  );
  return {
    name: "pliant",
    settings: quality,
    step: (dt) => world.step(dt),
    readPose(index, out) {
      out.set(made[index].position, 0);
      out.set(made[index].rotation, 3);
    },
    dispose: () => world.dispose(),
  };
}
