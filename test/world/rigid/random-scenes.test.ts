import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RigidWorld } from "../../../src/world/rigid/rigid-world";
import { buildScene, complaintsOf, type RandomScene, randomScene, runScene } from "./random-scene";

/** `PLIANT_RANDOM_SCENES=2000 npx vitest run --project unit test/world/rigid/random-scenes` tries more, PLIANT_SEED=2 others. */
const numRuns = Number(process.env.PLIANT_RANDOM_SCENES ?? 8);
// Scenes are too large for shrinking one by one.
const settings = { numRuns, endOnFailure: true };
const patience = 120_000 + 500 * numRuns;

function state(world: RigidWorld): string {
  const { pose, velocity, asleep } = world.snapshot();
  return JSON.stringify([[...world.poses.subarray(0, pose.length)], [...velocity], [...asleep]]);
}

describe("random scenes of rigid bodies", () => {
  it(
    "neither crash nor end in what is no number",
    () => {
      let slowest = 0;
      fc.assert(
        fc.property(randomScene, (scene) => {
          const world = buildScene(scene);
          const start = performance.now();
          runScene(scene, world, 0, scene.frames, (frame) => {
            expect(complaintsOf(world), `frame ${frame}`).toEqual([]);
          });
          slowest = Math.max(slowest, performance.now() - start);
        }),
        settings,
      );
      if (process.env.PLIANT_RANDOM_SCENES !== undefined)
        process.stderr.write(`${numRuns} scenes, the slowest took ${slowest.toFixed(0)} ms\n`);
    },
    patience,
  );

  it(
    "go on from a snapshot with the same bits, in the same world and in another one",
    () => {
      fc.assert(
        fc.property(randomScene, fc.integer({ min: 0, max: 25 }), (scene, moment) => {
          // The world that takes the snapshot must have the same bodies: actions that add or remove some are left out.
          const steady: RandomScene = {
            ...scene,
            actions: scene.actions.filter(
              ({ action: { kind } }) =>
                !["add", "remove", "join", "remove joint", "switch joint", "gravity"].includes(kind),
            ),
          };
          const world = buildScene(steady);
          runScene(steady, world, 0, moment);
          const snapshot = structuredClone(world.snapshot());
          runScene(steady, world, moment);
          const end = state(world);
          world.restore(snapshot);
          runScene(steady, world, moment);
          expect(state(world)).toBe(end);
          const other = buildScene(steady);
          other.restore(snapshot);
          runScene(steady, other, moment);
          expect(state(other)).toBe(end);
        }),
        { ...settings, numRuns: Math.ceil(numRuns / 3) },
      );
    },
    patience,
  );

  it(
    "end in the same bits whatever body was created first",
    () => {
      fc.assert(
        fc.property(randomScene, fc.nat(), (scene, turn) => {
          const steady: RandomScene = {
            ...scene,
            bodies: scene.bodies.map((body, k) => ({ ...body, id: k + 1 })),
            joints: [],
            actions: [],
          };
          const shift = turn % steady.bodies.length;
          const others = [...steady.bodies.slice(shift).reverse(), ...steady.bodies.slice(0, shift)];
          const worlds = [steady, { ...steady, bodies: others }].map((order) => {
            const world = buildScene({ ...order, hasFloor: false });
            runScene(order, world);
            return state(world);
          });
          expect(worlds[1]).toBe(worlds[0]);
        }),
        { ...settings, numRuns: Math.ceil(numRuns / 3) },
      );
    },
    patience,
  );
});
