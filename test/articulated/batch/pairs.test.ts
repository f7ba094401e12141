import { beforeAll, describe, expect, it } from "vitest";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { BatchOptions } from "../../../src/articulated/batch/batch-options";
import type { LinkDescription, LinkShape, MechanismDescription } from "../../../src/articulated/description";
import { RowClass } from "../../../src/articulated/lcp/problem";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { Vec3 } from "../../../src/math/types";
import type { GpuContext } from "../../../src/gpu/device";
import { RandomGeometry } from "../../collision/random";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { copyStates, expectSame, roundState } from "./compare";
import { boxHeap, capsule, heap, hullHeap, slidingStack, sphere, thing } from "./heap";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

/** A trunk on the ground with two arms of two links, whose hands meet above it. */
function arms(): MechanismDescription {
  const inertia = [0.02, 0.02, 0.02, 0, 0, 0] as const;
  const hinge = (position: Vec3) =>
    ({ type: "revolute", axis: [0, 0, 1], damping: 0.05, parentFrame: { position } }) as const;
  const limbs = [-1, 1].flatMap((side): LinkDescription[] => [
    { name: `upper ${side}`, parent: "trunk", mass: 0.5, inertia, joint: hinge([0.3 * side, 0, 0]) },
    {
      name: `lower ${side}`,
      parent: `upper ${side}`,
      mass: 0.5,
      inertia,
      joint: hinge([0, 0.3, 0]),
      shapes: [capsule(1, [0, 0, 0], [0, 0.3, 0], 0.08), sphere(1, 0.12, [0, 0.35, 0])],
    },
  ]);
  const trunk = thing(1, "trunk", [0, 0.0999, 0], [0, 0, 0], capsule(1, [-0.3, 0, 0], [0.3, 0, 0], 0.1));
  return { name: "arms", links: [trunk, ...limbs] };
}

const create = (
  mechanism: MechanismDescription,
  options: Omit<BatchOptions, "worlds"> & { worlds?: number },
): Promise<BatchSimulation> => BatchSimulation.create(mechanism, { worlds: 2, device: context.device, ...options });

describe("links that touch", () => {
  it.each([
    ["rods and balls", 0.1, heap],
    ["rods and balls", 10, heap],
    ["boxes", 0.1, boxHeap],
    ["boxes", 10, boxHeap],
    ["hulls", 0.1, hullHeap],
    ["hulls", 10, hullHeap],
  ] as const)("lie on each other and on boxes as on the CPU: %s, at %f times the size", async (_, size, make) => {
    const { mechanism, obstacles } = make(size);
    const time = Math.sqrt(size);
    // Bodies at rest are deep enough that rounding does not part them.
    const penetrationCorrection = 0.005;
    const common = { timeStep: 0.004 * time, friction: 0.6, penetrationCorrection, fastMotion: "whole" } as const;
    const one = new ArticulatedSimulation(mechanism, { ...common, ground: obstacles });
    const batch = await create(mechanism, { ...common, sweeps: 200, obstacles });
    const kinds = new Set<number>();
    for (let n = 0; n < 900; n++) {
      one.step();
      const { kind, count } = one.contacts;
      for (let c = 0; c < count; c++) kinds.add(kind[c]);
    }
    expect(one.contacts.count).toBeGreaterThan(5);
    expect(kinds.size).toBeGreaterThan(3);
    copyStates(batch, [one, one]);
    for (let n = 0; n < 100; n++) one.step();
    await withoutGpuErrors(context, async () => {
      batch.step(100);
      await expectSame(batch, [one, one], 1e-3);
    });
    batch.dispose();
  });

  it("of one tree meet as on the CPU with self-collision, and pass through each other without", async () => {
    const mechanism = arms();
    const floor = { shape: { type: "box", halfExtents: [50, 1, 50] }, position: [0, -1, 0] } as const;
    const ends = new Set<number>();
    for (const selfCollision of ["distant", "none"] as const) {
      const common = { timeStep: 0.004, friction: 0.5, penetrationCorrection: 0.2, selfCollision } as const;
      const one = new ArticulatedSimulation(mechanism, { ...common, fastMotion: "whole", ground: [floor] });
      const batch = await create(mechanism, { ...common, fastMotion: "whole", ground: [{}] });
      [one.qd[6], one.qd[8]] = [-2, 2];
      copyStates(batch, [one, one]);
      let among = 0;
      for (let n = 0; n < 80; n++) {
        one.step();
        const { linkA, linkB, count } = one.contacts;
        for (let c = 0; c < count; c++) if (linkA[c] >= 0 && linkB[c] >= 0) among++;
      }
      expect(among > 0).toBe(selfCollision === "distant");
      batch.step(80);
      await expectSame(batch, [one, one], 1e-3);
      ends.add(Math.round(100 * one.q[6]));
      batch.dispose();
    }
    expect(ends.size).toBe(2);
  });

  it.each([
    ["rods", 0.1, heap, 1e-3],
    ["boxes", 0.1, boxHeap, 1e-3],
    ["boxes", 10, boxHeap, 1e-3],
    ["hulls", 0.1, hullHeap, 1e-3],
    ["hulls", 10, hullHeap, 1e-3],
    ["slabs that slide and stick", 0.05, slidingStack, 1e-4],
    ["slabs that slide and stick", 0.3, slidingStack, 1e-4],
    ["slabs that slide", 1, slidingStack, 1e-3],
    ["slabs that slide", 10, slidingStack, 1e-3],
  ] as const)(
    "have the gradients of the CPU while they fall on each other: %s, %f times the size",
    async (_, size, make, near) => {
      const { mechanism, obstacles } = make(size);
      const isStack = make === slidingStack;
      const penetrationCorrection = isStack ? 0.1 : 0.005;
      const common = { friction: 0.3, penetrationCorrection, fastMotion: "whole" } as const;
      const timing = { timeStep: 0.004 * Math.sqrt(size) };
      const one = new ArticulatedSimulation(mechanism, { ...common, ...timing, ground: obstacles });
      // Four of the first twelve states at a size of 0.3 have another solution than the CPU finds, and none of the next 36.
      const worlds = isStack && size < 1 ? 24 : 12;
      const many = { ...common, ...timing, worlds, sweeps: isStack ? 200 : 2000, obstacles };
      const batch = await create(mechanism, many);
      const random = new RandomGeometry(3);
      const numbers = (): Float64Array =>
        Float64Array.from({ length: one.nv }, () => Math.fround(random.between(-1, 1)));
      const names = ["q", "qd", "position", "velocity"] as const;
      const sent = { q: [], qd: [], position: [], velocity: [] } as Record<(typeof names)[number], number[]>;
      const expected: ReturnType<ArticulatedSimulation["vjp"]>[] = [];
      const after: Float64Array[] = [];
      const sticks: boolean[] = [];
      const kinds = new Set<number>();
      let shared = 0;
      for (let world = 0; world < worlds; world++) {
        for (let n = 0; n < (isStack ? 2 : 25); n++) one.step();
        roundState(one);
        const before = { q: one.q, qd: one.qd, position: numbers(), velocity: numbers() };
        for (const name of names) sent[name].push(...before[name]);
        one.step();
        after.push(one.qd.slice());
        expected.push(one.vjp(before.position, before.velocity));
        for (let c = 0; c < one.contacts.count; c++) kinds.add(one.contacts.kind[c]);
        const { stabiliser } = one.contactStep.solver;
        sticks.push(make === heap || stabiliser.factor.rank > one.nv - 3);
        if (stabiliser.factor.rank < stabiliser.count && one.contactStep.lcp.classes.includes(RowClass.Upper)) shared++;
      }
      if (size === 0.05) expect(sticks.filter((all) => all).length).toBeGreaterThan(3);
      else if (isStack) expect(shared).toBeGreaterThan(3);
      else expect(kinds.size).toBeGreaterThan(3);
      batch.setState(sent.q, sent.qd);
      const tape = batch.makeTape(1);
      tape.step();
      tape.setGradient(sent.position, sent.velocity);
      tape.pullBack();
      const got = await tape.readGradient();
      const { qd } = await batch.readState();
      // Many contacts that share a load have many solutions, and the lanes need not find the same one.
      const isSame = after.map((own, world) =>
        own.every((v, k) => Math.abs(v - qd[world * one.nv + k]) < near * (1 + Math.abs(v))),
      );
      expect(isSame.filter((same) => same).length).toBeGreaterThan(isStack ? 0.7 * worlds : worlds - 1);
      expected.forEach((gradient, world) => {
        for (const kind of ["position", "velocity", "control"] as const) {
          // Next to nothing moves where all stick: there the gradient is rounding of that of the loss, and of what a torque does to a free body.
          const loss = kind === "control" ? timing.timeStep / (0.02 * size ** 5) : 1;
          const largest = Math.max(sticks[world] ? loss : 0, ...gradient[kind].map(Math.abs));
          const own = got[kind].subarray(world * one.nv, (world + 1) * one.nv);
          own.forEach((value, k) => {
            const at = `${kind} ${k} of world ${world}`;
            if (isSame[world]) expect(Math.abs(value - gradient[kind][k]), at).toBeLessThan(1e-3 * largest);
          });
        }
      });
      tape.dispose();
      batch.dispose();
    },
    // the software adapter compiles this kernel for long
    300_000,
  );

  // The three rows of a contact depend on each other there.
  it.each([0.1, 1, 10])(
    "push each other where joints leave them two ways to move, at %f times the size",
    async (size) => {
      const box = (halfExtents: Vec3, position: Vec3): LinkShape => ({ shape: { type: "box", halfExtents }, position });
      const body = (share: number) => {
        const moment = share * 0.1 * size ** 5;
        return { mass: share * size ** 3, inertia: [moment, moment, moment, 0, 0, 0] as const };
      };
      const at = (y: number) => ({ position: [0, y * size, 0] as const });
      const hinge = (axis: Vec3, y: number) => ({ type: "revolute", axis, parentFrame: at(y) }) as const;
      const palm = box([0.5 * size, 0.1 * size, 0.5 * size], [0, 0, 0]);
      const finger = box([0.05 * size, 0.05 * size, 0.3 * size], [0.2 * size, 0, 0.1 * size]);
      const mechanism: MechanismDescription = {
        name: "thumb",
        links: [
          { name: "palm", ...body(1), joint: { type: "prismatic", axis: [1, 0, 0] }, shapes: [palm] },
          { name: "knuckle", parent: "palm", ...body(0.1), joint: hinge([0, 0, 1], 0.1) },
          { name: "finger", parent: "knuckle", ...body(0.2), joint: hinge([1, 0, 0], 0.0495), shapes: [finger] },
        ],
      };
      const common = { timeStep: 0.002 * Math.sqrt(size), friction: 0.8, selfCollision: "distant" } as const;
      const one = new ArticulatedSimulation(mechanism, common);
      const batch = await create(mechanism, { ...common, sweeps: 200 });
      one.control[1] = -0.3 * size ** 4;
      copyStates(batch, [one, one]);
      batch.step(20);
      for (let n = 0; n < 20; n++) one.step();
      expect(one.contacts.count).toBeGreaterThan(1);
      await expectSame(batch, [one, one], 1e-3);
      batch.dispose();
    },
  );

  it("are refused if they are not convex", async () => {
    const land: LinkShape = {
      shape: { type: "heightfield", sizeX: 1, sizeZ: 1, samplesX: 2, samplesZ: 2, heights: [0, 0, 0, 0] },
    };
    const one = { name: "one", links: [thing(1, "a", [0, 0, 0], [0, 0, 0], sphere(1, 0.2))] };
    await expect(create(one, { timeStep: 0.01, obstacles: [land] })).rejects.toThrow(/convex/);
  });
});
