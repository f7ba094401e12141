import { clothInWorld } from "../../samples/cloth";
import { uniqueEdges } from "../../samples/metrics";
import { numberOf } from "../../samples/parameters";
import type { ClothDescription, ParameterValues, SceneDefinition } from "../../samples/scene";
import { World } from "../../src/index";
import type { Contestant } from "../contestant";
import { isDiagonal, springStiffnesses } from "./springs";
import { loadRapier, rapierContestant } from "../rapier";

/**
 * Rapier with the cloth of `hanging-cloth`: a spring per edge, no bending. The scene is built as usual in a world that is never stepped;
 * that world measures Rapier's result. Rapier takes a spring by its own oscillation: ω² = k / m with the reduced mass m of the two ends,
 * and a damping time τ makes a damping ratio ω τ / 2.
 *
 * @param iterations of the solver in a frame: the solver splits the frame into that many substeps
 */
export async function rapierClothContestant(
  scene: SceneDefinition,
  values: ParameterValues,
  iterations: number,
): Promise<Contestant> {
  const rapier = await loadRapier();
  const world = await World.create({ backend: "cpu" });
  const cloths: ClothDescription[] = [];
  const instance = await scene.build(world, values, (description) => {
    cloths.push(description);
    return clothInWorld(world)(description);
  });
  const [description] = cloths;
  const { positions, indices, fabric, pins, options } = description;
  const { masses } = world.bodies[0].model;
  const [x, y, z] = world.gravity;
  const simulation = new rapier.World({ x, y, z });
  simulation.integrationParameters.numSolverIterations = iterations;
  const edges = uniqueEdges(indices);
  const { thread, shear } = springStiffnesses(fabric);
  const softness = Array.from({ length: edges.length / 2 }, (_, e) => {
    const [a, b] = [edges[2 * e], edges[2 * e + 1]];
    const weight = [a, b].reduce((sum, p) => sum + (pins.includes(p) ? 0 : 1 / masses[p]), 0);
    const frequency = Math.sqrt((isDiagonal(positions, a, b) ? shear : thread) * weight);
    return { naturalFrequency: frequency / (2 * Math.PI), dampingRatio: (frequency * fabric.stretchDamping) / 2 };
  });
  const soft = simulation.createSoftBody(
    new rapier.SoftBodyDesc(Float32Array.from(positions))
      .setEdges(edges)
      .setEdgeSoftness(edges, softness)
      .setMasses(Float32Array.from(masses))
      .setPinnedParticles(Uint32Array.from(pins))
      .setNoSurfaceCollider()
      .setLinearDamping(options.damping ?? 0)
      .setCanSleep(false),
  );
  const frameTime = numberOf(values, "frameTime");
  return rapierContestant({
    simulation,
    soft,
    world,
    instance,
    settings: `${iterations} iterations, no bending`,
    frameTime,
  });
}
