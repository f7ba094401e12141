import type { SoftBody, World as RapierWorld } from "@dimforge/rapier3d-compat";
import type { SceneInstance } from "../samples/scene";
import { NonFiniteStateError } from "../samples/run-scene";
import type { World } from "../src/index";
import type { Contestant } from "./contestant";

export type Rapier = typeof import("@dimforge/rapier3d-compat");

let loading: Promise<Rapier> | undefined;

/** Rapier 0.21, the first with soft bodies in JavaScript; one thread and no SIMD, because no SIMD build has them. */
export async function loadRapier(): Promise<Rapier> {
  loading ??= import("@dimforge/rapier3d-compat").then(async (module) => {
    await module.init();
    return module;
  });
  return loading;
}

/** The bodies that Rapier steps, and the world and scene that measure its result. */
export interface RapierSimulation {
  readonly simulation: RapierWorld;
  readonly soft: SoftBody;
  /** never stepped; its first body is given Rapier's state before the scene measures */
  readonly world: World;
  readonly instance: SceneInstance;
  readonly settings: string;
  readonly frameTime: number;
}

/** A contestant with one soft body whose particles are the vertices of the world's first body, in their order. */
export function rapierContestant({
  simulation,
  soft,
  world,
  instance,
  settings,
  frameTime,
}: RapierSimulation): Contestant {
  const body = world.bodies[0];
  simulation.timestep = frameTime;
  let frames = 0;
  return {
    label: { peer: "rapier" },
    settings,
    triangles: body.model.faces.length / 3,
    async frame() {
      simulation.step();
      frames++;
    },
    async measure() {
      const positions = Float64Array.from(soft.particlePositions());
      const velocities = Float64Array.from(soft.particleVelocities());
      if (![...positions, ...velocities].every(Number.isFinite))
        throw new NonFiniteStateError("soft body of rapier", frames);
      body.writeState({ positions, velocities });
      return instance.measure();
    },
    dispose() {
      simulation.free();
      world.dispose();
    },
  };
}
