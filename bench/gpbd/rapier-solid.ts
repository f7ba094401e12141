import { World } from "../../src/index";
import type { SoftBodyModel } from "../../src/models/gpbd/soft-body";
import { numberOf } from "../../samples/parameters";
import type { ParameterValues, SceneDefinition } from "../../samples/scene";
import type { Contestant } from "../contestant";
import { loadRapier, rapierContestant } from "../rapier";
import { GROUND } from "./jolt-solid";

/**
 * Rapier with the cube of `soft-cube`: the same tetrahedra, masses and material, a neo-Hookean constraint for each. The scene is built as
 * usual in a world that is never stepped; that world measures Rapier's result.
 */
export async function rapierSolidContestant(
  scene: SceneDefinition,
  values: ParameterValues,
  iterations: number,
): Promise<Contestant> {
  const rapier = await loadRapier();
  const world = await World.create({ backend: "cpu" });
  const instance = await scene.build(world, values);
  const { positions, tetrahedra, masses, material } = world.bodies[0].model as SoftBodyModel;
  const [x, y, z] = world.gravity;
  const simulation = new rapier.World({ x, y, z });
  const ground = simulation.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(0, -GROUND.half, 0));
  const { reach, half } = GROUND;
  const smooth = rapier.CoefficientCombineRule.Min;
  simulation.createCollider(
    rapier.ColliderDesc.cuboid(reach, half, reach).setFriction(0).setFrictionCombineRule(smooth),
    ground,
  );
  const stuff = new rapier.SoftBodyMaterial();
  stuff.youngModulus = material.youngsModulus;
  stuff.poissonRatio = material.poissonRatio;
  const soft = simulation.createSoftBody(
    new rapier.SoftBodyDesc(Float32Array.from(positions))
      .setCells(Uint32Array.from(tetrahedra))
      .setCellModel(rapier.SoftBodyCellModel.NeoHookean)
      .setSolver(rapier.SoftBodySolver.Constraints)
      .setMaterial(stuff)
      .setMasses(Float32Array.from(masses))
      .setLinearDamping(numberOf(values, "damping"))
      .setCanSleep(false),
  );
  simulation.integrationParameters.numSolverIterations = iterations;
  const settings = `neo-Hookean constraints, ${iterations} iterations`;
  const frameTime = numberOf(values, "frameTime");
  return rapierContestant({ simulation, soft, world, instance, settings, frameTime });
}
