import { beforeAll, describe, expect, it } from "vitest";
import { BatchSimulation } from "../../../src/articulated/batch/batch-simulation";
import type { BatchOptions } from "../../../src/articulated/batch/batch-options";
import type { LinkDescription, LinkShape, MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { Vec3 } from "../../../src/math/types";
import type { GpuContext } from "../../../src/gpu/device";
import { testContext, withoutGpuErrors } from "../../gpu/context";
import { copyStates, expectSame } from "./compare";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const scaled = ([x, y, z]: Vec3, size: number): Vec3 => [x * size, y * size, z * size];

const sphere = (size: number, radius: number, center: Vec3 = [0, 0, 0]): LinkShape => ({
  shape: { type: "sphere", radius: size * radius, center: scaled(center, size) },
});

const capsule = (size: number, pointA: Vec3, pointB: Vec3, radius: number): LinkShape => ({
  shape: { type: "capsule", pointA: scaled(pointA, size), pointB: scaled(pointB, size), radius: size * radius },
});

/** A free body that keeps its look, at a place and turned by a rotation vector. */
function thing(size: number, name: string, at: Vec3, turn: Vec3, shape: LinkShape): LinkDescription {
  const moment = 0.02 * size ** 5;
  return {
    name,
    mass: size ** 3,
    inertia: [moment, moment, moment, 0, 0, 0],
    joint: { type: "free", initialPosition: [...turn, ...scaled(at, size)] },
    shapes: [shape],
  };
}

/** Rods and balls that lie on each other in a pit of four leaning boxes, and on a rail and a block at its bottom. */
function heap(size: number): { mechanism: MechanismDescription; obstacles: LinkShape[] } {
  const links = [
    thing(size, "ball", [-0.1, 0.4, 0.1], [0, 0, 0], sphere(size, 0.2)),
    thing(size, "ball above", [0.2, 0.75, -0.1], [0, 0, 0], sphere(size, 0.18)),
    thing(size, "rod", [0, 0.9, 0.05], [0, 0.4, 0.1], capsule(size, [-0.25, 0, 0], [0.3, 0, 0], 0.1)),
    thing(size, "rod across", [0.05, 1.15, 0], [0, 1.5, 0.05], capsule(size, [-0.3, 0, 0], [0.3, 0, 0], 0.08)),
    thing(size, "rod beside", [0.25, 1.2, 0], [0, 1.49, 0.05], capsule(size, [-0.3, 0, 0], [0.3, 0, 0], 0.08)),
  ];
  const turn = Math.sin(0.3);
  const walls = [-1, 1].flatMap((side): LinkShape[] => {
    const shape = { type: "box", halfExtents: scaled([1, 0.1, 1], size) } as const;
    const w = Math.cos(0.3);
    return [
      { shape, position: scaled([0.8 * side, 0.45, 0], size), rotation: [0, 0, turn * side, w] },
      { shape, position: scaled([0, 0.45, 0.8 * side], size), rotation: [-turn * side, 0, 0, w] },
    ];
  });
  const block = { type: "box", halfExtents: scaled([0.1, 0.15, 0.1], size) } as const;
  return {
    mechanism: { name: "heap", links },
    obstacles: [
      ...walls,
      { shape: block, position: scaled([0.25, 0.05, 0.2], size), rotation: [0, 0.2, 0, Math.sqrt(0.96)] },
      capsule(size, [-0.2, 0, -1], [-0.2, 0, 1], 0.05),
    ],
  };
}

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

const create = (mechanism: MechanismDescription, options: Omit<BatchOptions, "worlds">): Promise<BatchSimulation> =>
  BatchSimulation.create(mechanism, { worlds: 2, device: context.device, ...options });

describe("links that touch", () => {
  it.each([0.1, 10])("lie on each other and on boxes as on the CPU, at %f times the size", async (size) => {
    const { mechanism, obstacles } = heap(size);
    const time = Math.sqrt(size);
    const common = { timeStep: 0.004 * time, friction: 0.6, penetrationCorrection: 0.2, fastMotion: "whole" } as const;
    const one = new ArticulatedSimulation(mechanism, { ...common, ground: obstacles });
    const batch = await create(mechanism, { ...common, sweeps: 200, obstacles });
    const kinds = new Set<number>();
    for (let n = 0; n < 500; n++) {
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

  it("are refused where their shapes are not known, and on tapes", async () => {
    const box: LinkShape = { shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] } };
    const free = (name: string, shape: LinkShape): LinkDescription => thing(1, name, [0, 0, 0], [0, 0, 0], shape);
    const ball = free("ball", sphere(1, 0.2));
    const options = { timeStep: 0.01, fastMotion: "whole" } as const;
    const boxes = { name: "boxes", links: [free("a", box), free("b", box)] };
    await expect(create(boxes, options)).rejects.toMatchObject({ code: "unsupported" });
    const one = { name: "box", links: [free("a", box)] };
    await expect(create(one, { ...options, obstacles: [box] })).rejects.toThrow(
      /link "a" and an obstacle|obstacle and link/,
    );
    const prism: LinkShape = { shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, 1, 0], radius: 1 } };
    await expect(create({ name: "ball", links: [ball] }, { ...options, obstacles: [prism] })).rejects.toThrow(/box/);
    const batch = await create({ name: "ball", links: [ball] }, { ...options, obstacles: [box] });
    expect(() => batch.makeTape(1)).toThrow(/obstacles/);
    batch.dispose();
  });
});
