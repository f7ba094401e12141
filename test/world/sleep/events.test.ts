import { describe, expect, it } from "vitest";
import type { SolverName } from "../../../src/index";
import type { Snapshot } from "../../../src/world/world";
import { expectWithin } from "../../figures";
import { frameTime } from "../worlds";
import { cubeModel, isQuiet, newScene, placesOf, type Scene, sleepingScene, type SoftName, softNames } from "./scene";

interface Event {
  /** bodies that have to wake in the frame, and the ones that move with them */
  readonly wakes: readonly SoftName[];
  /** before each frame */
  act(scene: Scene, frame: number): void;
  /** frame in which it wakes them at the latest */
  readonly by?: number;
  /** part of the way to a body that never slept, where what happens is not smooth [m] */
  readonly apart?: number;
}

const once =
  (act: (scene: Scene) => void) =>
  (scene: Scene, frame: number): void => {
    if (frame === 0) act(scene);
  };

const FRAMES = 8;

const events: Record<string, Event> = {
  "the ground is taken away": { wakes: ["cube"], act: once(({ ground }) => ground.dispose()) },
  "the ground is put elsewhere": { wakes: ["cube"], act: once(({ ground }) => ground.teleport([0, -2, 0])) },
  "the shelf is taken away": { wakes: ["cloth"], act: once(({ shelf }) => shelf.dispose()) },
  "the shelf creeps, at a tenth of the speed of what rests": {
    wakes: ["cloth"],
    act: ({ shelf }, frame) => shelf.setPose([2, 1 + 1e-5 * (frame + 1), 0]),
  },
  "the shelf becomes slippery": { wakes: ["cloth"], act: once(({ shelf }) => Object.assign(shelf, { friction: 0 })) },
  "gravity changes": {
    wakes: softNames,
    act: once(({ world }) => Object.assign(world, { gravity: [0, 1, 0] })),
  },
  "the box is struck": { wakes: ["cube"], act: once(({ box }) => box.applyImpulse([3, 0, 0])) },
  "the box is taken away": { wakes: ["cube"], act: once(({ box }) => box.dispose()) },
  "the ball on the rope is struck": { wakes: ["rope"], act: once(({ ball }) => ball.applyImpulse([0.3, 0, 0])) },
  "the ball comes off the rope": { wakes: ["rope"], act: once(({ tie }) => tie.dispose()) },
  "the pin of the rope creeps": {
    wakes: ["rope"],
    act: ({ rope }, frame) => rope.setPinTarget(0, -2 + 1e-5 * (frame + 1), 1.5, 0),
  },
  "the rope is let go": { wakes: ["rope"], act: once(({ rope }) => rope.unpin([0])) },
  "an option changes": { wakes: ["cloth"], act: once(({ cloth }) => cloth.setOptions({ gravityFactor: -1 })) },
  "a hand creeps up to the cube": {
    wakes: ["cube"],
    by: FRAMES - 1,
    act: ({ hand }, frame) => hand.moveTo([0.318 - 2e-3 * (frame + 1), 0.2, 0]),
  },
  "a hand strikes the cube": {
    wakes: ["cube"],
    by: 2,
    act: ({ hand }, frame) => hand.moveTo([0.4 - 0.03 * (frame + 1), 0.2, 0]),
  },
  "a ball flies at the box": {
    wakes: ["cube"],
    by: 2,
    // An impact tells little from that on another box a micrometer away.
    apart: 2e-2,
    act: once(({ world }) => {
      world.addRigidBody({
        shape: { type: "sphere", radius: 0.05 },
        mass: 1,
        position: [-0.4, 0.5, 0],
        linearVelocity: [6, 0, 0],
      });
    }),
  },
  "a soft cube falls on the box": {
    wakes: ["cube"],
    by: 4,
    apart: 2e-2,
    act: once(({ world, cube }) => {
      const { solver } = cube.model;
      world.addBody(cubeModel(solver ?? "gpbd", 0.2, [0, 0.76, 0], 1)).writeState({
        positions: cubeModel(solver ?? "gpbd", 0.2, [0, 0.76, 0], 1).positions,
        velocities: new Float64Array(24).map((_, i) => (i % 3 === 1 ? -1 : 0)),
      });
    }),
  },
};

/** Events that are far apart, for one run. */
const all: readonly (readonly string[])[] = [
  ["the ground is taken away", "the shelf is taken away", "the ball comes off the rope"],
  ["the ground is put elsewhere", "the shelf creeps, at a tenth of the speed of what rests", "the rope is let go"],
  ["the box is struck", "the shelf becomes slippery", "the ball on the rope is struck"],
  ["a hand creeps up to the cube", "an option changes", "the pin of the rope creeps"],
  ["the box is taken away"],
  ["gravity changes"],
  ["a hand strikes the cube"],
  ["a ball flies at the box"],
  ["a soft cube falls on the box"],
];
const runs = { gpbd: all, newton: [all[1], all[2], all[3], all[7]], "local-global": [all[0], all[2], all[3]] };

/** The frames after some events, from a state in which all sleep. */
async function follow(solver: SolverName, from: Snapshot, now: readonly Event[], canSleep: boolean) {
  const scene = await newScene(solver);
  scene.world.restore(from);
  expect(isQuiet(scene)).toBe(true);
  if (!canSleep) for (const name of softNames) scene[name].canSleep = false;
  const woke = new Map<SoftName, number>();
  for (let frame = 0; frame < FRAMES; frame++) {
    for (const { act } of now) act(scene, frame);
    scene.world.step(frameTime);
    for (const name of softNames) if (!scene[name].isAsleep && !woke.has(name)) woke.set(name, frame);
  }
  const places = await placesOf(scene);
  scene.world.dispose();
  return { woke, places };
}

const partners = { cube: "box", cloth: "cloth", rope: "ball" } as const;

describe.each(["gpbd", "newton", "local-global"] as const)("sleeping bodies of %s", (solver) => {
  it("wake in the frame in which anything happens around them, and go on as if they had not slept", async () => {
    const sleeping = await sleepingScene(solver);
    expect(isQuiet(sleeping)).toBe(true);
    expect([sleeping.box.isAsleep, sleeping.ball.isAsleep]).toEqual([true, true]);
    const from = await sleeping.world.snapshot();
    sleeping.world.dispose();
    for (const names of runs[solver]) {
      const now = names.map((name) => events[name]!);
      const { woke, places } = await follow(solver, from, now, true);
      const { places: expected } = await follow(solver, from, now, false);
      for (const name of names) {
        const { wakes, by = 0, apart = 1e-4 } = events[name]!;
        for (const body of wakes) expect(woke.get(body) ?? Infinity, name).toBeLessThanOrEqual(by);
        for (const body of wakes.flatMap((soft) => [soft, partners[soft]])) {
          const [found, known] = [places[body] ?? [], expected[body] ?? []];
          const most = Math.max(0, ...found.map((value, i) => Math.abs(value - known[i]!)));
          expectWithin(`${name}: ${body} [m]`, most, apart);
        }
      }
    }
  });
});
