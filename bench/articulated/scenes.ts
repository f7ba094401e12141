import { cartpole, cartpoleTimeSteps } from "../../samples/mechanisms/cartpole";
import { catapult, catapultFloor, catapultTimeStep } from "../../samples/mechanisms/catapult";
import { halfCheetah, halfCheetahGround, halfCheetahTimeStep } from "../../samples/mechanisms/half-cheetah";
import { humanoid, humanoidGround, humanoidTimeStep } from "../../samples/mechanisms/humanoid";
import { jumpWorm, jumpWormFloor, jumpWormTimeStep } from "../../samples/mechanisms/jump-worm";
import type { LinkShape, MechanismDescription } from "../../src/articulated/description";
import { ArticulatedModel } from "../../src/articulated/model";

/** A mechanism in the state in which its step and Jacobians are timed. */
export interface ArticulatedScene {
  readonly name: string;
  readonly mechanism: MechanismDescription;
  readonly ground: readonly LinkShape[];
  readonly timeStep: number;
  readonly q: Float64Array;
  readonly qd: Float64Array;
  readonly tau: Float64Array;
}

/** The scenes of the published tables, in the poses of the published benchmark scripts if these give one. */
export function articulatedScenes(): ArticulatedScene[] {
  const height = 1;
  return [
    scene("cartpole", cartpole("actuated-pole"), [], cartpoleTimeSteps["actuated-pole"]),
    scene("jump-worm", jumpWorm({ rootHeight: -0.14 }), jumpWormFloor(-0.7), jumpWormTimeStep),
    scene("catapult", catapult(0), catapultFloor(), catapultTimeStep, { 4: 0.65 }),
    scene("half-cheetah", halfCheetah(), halfCheetahGround(), halfCheetahTimeStep, { [height]: -0.1, 2: 0.03 }),
    // pressed a millimeter into the ground
    scene("humanoid", humanoid(), humanoidGround(), humanoidTimeStep, { 4: -1e-3 }, true),
  ];
}

function scene(
  name: string,
  mechanism: MechanismDescription,
  ground: readonly LinkShape[],
  timeStep: number,
  pose: Readonly<Record<number, number>> = {},
  relative = false,
): ArticulatedScene {
  const model = new ArticulatedModel(mechanism);
  const q = model.initialPosition.slice();
  for (const [dof, value] of Object.entries(pose)) q[Number(dof)] = value + (relative ? q[Number(dof)] : 0);
  // some torque everywhere, so that no term of the equations is zero by chance
  const tau = Float64Array.from(q, (_, k) => (model.effortLimit[k] > 0 ? Math.sin(k + 1) : 0));
  return { name, mechanism, ground, timeStep, q, qd: model.initialVelocity.slice(), tau };
}
