import { World } from "../../src/index";
import type { SoftBodyModel } from "../../src/models/gpbd/soft-body";
import { NonFiniteStateError } from "../../samples/run-scene";
import { numberOf } from "../../samples/parameters";
import type { ParameterValues, SceneDefinition } from "../../samples/scene";
import type { Contestant } from "../contestant";
import { type Jolt, loadJolt, MOVING_LAYER, readSoftBody, STILL_LAYER, surfaceSettings, twoLayers } from "../jolt";

/** Half width of the ground, and its thickness [m]. */
export const GROUND = { reach: 2, half: 0.5 };

/**
 * Jolt (wasm, one thread) with the cube of `soft-cube`: its soft bodies know springs and volumes, so every edge is a spring that represents
 * the material around it. The scene is built as usual in a world that is never stepped; that world measures Jolt's result.
 *
 * @param iterations substeps of a frame, each with one sweep over the springs (XPBD)
 */
export async function joltSolidContestant(
  scene: SceneDefinition,
  values: ParameterValues,
  iterations: number,
): Promise<Contestant> {
  const jolt = await loadJolt();
  const world = await World.create({ backend: "cpu" });
  const instance = await scene.build(world, values);
  const body = world.bodies[0];
  const model = body.model as SoftBodyModel;
  const simulation = createCube(jolt, world, model, iterations, numberOf(values, "damping"));
  const dt = numberOf(values, "frameTime");
  let frames = 0;
  return {
    label: { peer: "jolt-physics" },
    settings: `springs, ${iterations} iterations`,
    triangles: model.faces.length / 3,
    async frame() {
      simulation.step.Step(dt, 1);
      frames++;
    },
    async measure() {
      const state = readSoftBody(jolt, simulation.cube, model.masses.length);
      if (![...state.positions, ...state.velocities].every(Number.isFinite))
        throw new NonFiniteStateError("cube of jolt-physics", frames);
      body.writeState(state);
      return instance.measure();
    },
    dispose() {
      jolt.destroy(simulation.step);
      world.dispose();
    },
  };
}

function createCube(jolt: Jolt, world: World, model: SoftBodyModel, iterations: number, damping: number) {
  const step = new jolt.JoltInterface(twoLayers(jolt));
  const system = step.GetPhysicsSystem();
  const [x, y, z] = world.gravity;
  system.SetGravity(new jolt.Vec3(x, y, z));
  const bodies = system.GetBodyInterface();
  const ground = new jolt.BodyCreationSettings(
    new jolt.BoxShape(new jolt.Vec3(GROUND.reach, GROUND.half, GROUND.reach)),
    new jolt.RVec3(0, -GROUND.half, 0),
    new jolt.Quat(0, 0, 0, 1),
    jolt.EMotionType_Static,
    STILL_LAYER,
  );
  ground.mFriction = 0;
  bodies.AddBody(bodies.CreateBody(ground).GetID(), jolt.EActivation_DontActivate);
  const soft = new jolt.SoftBodyCreationSettings(
    sharedSettings(jolt, model),
    new jolt.RVec3(0, 0, 0),
    new jolt.Quat(0, 0, 0, 1),
    MOVING_LAYER,
  );
  soft.mNumIterations = iterations;
  soft.mVertexRadius = 0;
  soft.mLinearDamping = damping;
  soft.mFriction = 0;
  soft.mUpdatePosition = false;
  soft.mAllowSleeping = false;
  const cube = bodies.CreateSoftBody(soft);
  bodies.AddBody(cube.GetID(), jolt.EActivation_Activate);
  return { step, cube };
}

function sharedSettings(jolt: Jolt, model: SoftBodyModel): InstanceType<Jolt["SoftBodySharedSettings"]> {
  const { positions, masses, faces } = model;
  const shared = surfaceSettings(jolt, positions, masses, faces);
  for (const { a, b, compliance } of springs(model)) {
    const edge = new jolt.SoftBodySharedSettingsEdge(a, b, compliance);
    shared.mEdgeConstraints.push_back(edge);
    jolt.destroy(edge);
  }
  shared.CalculateEdgeLengths();
  shared.Optimize();
  return shared;
}

/** A spring per edge with k = E Σ V / L², V the tetrahedra around it (Van Gelder 1998): compliance 1/k [m/N]. */
export function springs(model: SoftBodyModel): { a: number; b: number; compliance: number }[] {
  const { positions: x, tetrahedra, masses, material, terms } = model;
  const { rest } = terms[0];
  const volumes = new Map<number, number>();
  for (let t = 0; t < tetrahedra.length / 4; t++)
    for (let i = 0; i < 4; i++)
      for (let k = 0; k < i; k++) {
        const [p, q] = [tetrahedra[4 * t + i], tetrahedra[4 * t + k]];
        const key = Math.min(p, q) * masses.length + Math.max(p, q);
        volumes.set(key, (volumes.get(key) ?? 0) + rest[10 * t + 9]);
      }
  return [...volumes].map(([key, volume]) => {
    const [a, b] = [Math.floor(key / masses.length), key % masses.length];
    const squared = [0, 1, 2].reduce((sum, c) => sum + (x[3 * a + c] - x[3 * b + c]) ** 2, 0);
    return { a, b, compliance: squared / (material.youngsModulus * volume) };
  });
}
