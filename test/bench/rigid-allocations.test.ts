import v8 from "node:v8";
import { describe, expect, it } from "vitest";
import { castOf } from "../../bench/rigid/cast";
import { FRAME } from "../../bench/rigid/judge";
import { pliantEngine } from "../../bench/rigid/pliant";
import { RigidWorld, World } from "../../src/index";
import { resolveParameters } from "../../samples/parameters";
import { quantile } from "../../samples/run-scene";
import { scenes } from "../../samples/scenes/index";

// Code allocates until it is compiled, which takes a step of few bodies thousands of frames. With this budget V8 does so after an eighth of
// that; after less it knows too little of what functions call to put that in its place.
v8.setFlagsFromString("--interrupt-budget=8000");
// On a thread of its own the compiler may come after the last frame where the machine is busy.
v8.setFlagsFromString("--no-concurrent-recompilation");
const FRAMES = 6000;
const WINDOW = 20;
/** A number in an object of its own takes as much on the heap [bytes]. */
const BOXED = 16;

const heap = (): number => v8.getHeapStatistics().used_heap_size;
/** Bytes that the question itself allocates. */
function costOfAsking(): number {
  const costs = Array.from({ length: WINDOW }, () => {
    const before = heap();
    return heap() - before;
  });
  return quantile(costs, 0.5);
}

/** The least that most steps of a few have allocated [bytes], once it is little enough. */
function leastAllocated(step: () => void, most: number, frames: number): number {
  let least = Infinity;
  let window: number[] = [];
  for (let frame = 0; frame < frames && least > most; frame++) {
    const before = heap();
    step();
    const more = heap() - before;
    // Garbage that is collected within a step hides what it allocates.
    if (more >= 0) window.push(more);
    if (window.length < WINDOW) continue;
    least = Math.min(least, quantile(window, 0.75) - costOfAsking());
    window = [];
  }
  return least;
}

/** Boxes that stand on each other by twos. */
function pairsOfBoxes(count: number): RigidWorld {
  const world = new RigidWorld({ sleeping: false });
  world.addBody({ motion: "static", shape: { type: "box", halfExtents: [50, 0.5, 50] }, position: [0, -0.5, 0] });
  for (let k = 0; k < count; k++)
    world.addBody({
      shape: { type: "box", halfExtents: [0.2, 0.15, 0.25] },
      motion: "dynamic",
      mass: 1 + (k % 3),
      position: [2 * ((k >> 1) % 12) - 12, 0.15 + 0.3 * (k % 2), 2 * Math.floor((k >> 1) / 12) - 12],
    });
  return world;
}

describe("a step of rigid bodies", () => {
  it.each(["tower", "heavy-stack"] as const)(
    "allocates next to nothing when its code is compiled: %s",
    async (name) => {
      const engine = pliantEngine(await castOf(name), "balanced");
      expect(leastAllocated(() => engine.step(FRAME), 800, FRAMES)).toBeLessThan(1600);
    },
  );

  it("allocates less than a number for each body that rests", () => {
    const count = 240;
    const world = pairsOfBoxes(count);
    expect(leastAllocated(() => world.step(FRAME), BOXED * count, FRAMES)).toBeLessThan(BOXED * count);
    // The same steps with a number for each body are told apart.
    const numbers: object[] = [];
    const step = (): void => {
      world.step(FRAME);
      for (let body = 0; body < count; body++) numbers[body] = { body };
    };
    expect(leastAllocated(step, 0, 2 * WINDOW)).toBeGreaterThan(BOXED * count);
  });

  it.each([
    ["joints", 4000],
    ["ragdoll", 3000],
    ["vehicle", 5000],
  ] as const)("allocates no number for each row of a joint, or each point of a round shape: %s", async (name, most) => {
    const scene = scenes.find((candidate) => candidate.name === name)!;
    const world = await World.create({ backend: "cpu", snapshotInterval: 0 });
    await scene.build(world, resolveParameters(scene, {}));
    expect(leastAllocated(() => world.step(FRAME), most, FRAMES)).toBeLessThan(most);
    world.dispose();
  });
});
