import { gpbdCloth } from "../../src/models/gpbd/cloth";
import { localGlobalCloth } from "../../src/models/local-global/local-global-fabric";
import { expect, it } from "vitest";
import { ArticulatedSimulation } from "../../src/articulated/step/simulation";
import {
  boxTetrahedra,
  fabrics,
  gridMesh,
  solidModel,
  ropeModel,
  type BodyModel,
  type BodyOptions,
  type RigidBody,
  type RigidBodyOptions,
  type Vec3,
  World,
} from "../../src/index";

/** Builds a scene with the length s as its unit instead of a meter. Densities are unchanged: so stresses scale as s², forces as s⁴. */
type Scene = (world: World, s: number) => void;
const DT = 1 / 60;

const at = (s: number, x: number, y: number, z = 0): Vec3 => [s * x, s * y, s * z];
const box = (s: number, x: number, y: number, z: number) => ({ type: "box", halfExtents: at(s, x, y, z) }) as const;
const turned = (angle: number): [number, number, number, number] => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

function floor(world: World, s: number, angle = 0): void {
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  const shape = box(s, 40, 1, 40);
  world.addRigidBody({ motion: "static", shape, position: at(s, x, y), rotation: turned(angle) });
}

function hinge(world: World, s: number, a: RigidBody, b: RigidBody, pivotA: Vec3, pivotB: Vec3, isBall = false): void {
  const axis: Vec3 = [0, 0, 1];
  const ends = { bodyA: a, bodyB: b, pivotA: at(s, ...pivotA), pivotB: at(s, ...pivotB), collision: false };
  world.addJoint(isBall ? { type: "ball", ...ends } : { type: "hinge", axisA: axis, axisB: axis, ...ends });
}

const add = (world: World, options: RigidBodyOptions): RigidBody => world.addRigidBody(options);
const soft = (world: World, model: BodyModel, options?: BodyOptions): void => void world.addBody(model, options);

function cube(s: number): { positions: Float64Array; tetrahedra: Uint32Array } {
  return boxTetrahedra({ size: at(s, 0.5, 0.5, 0.5), cells: [2, 2, 2], center: at(s, 0, 0.4) });
}

const solid = (s: number) => ({ youngsModulus: 4e4 * s * s, poissonRatio: 0.3, density: 1000 });

function sheet(s: number) {
  const { stretchWarp, stretchWeft, shear, bendingWarp, bendingWeft, areaDensity, ...rest } = fabrics.cotton;
  const [k, d] = [s ** 3, s ** 5];
  return {
    ...gridMesh({ width: s, height: s, columns: 6, rows: 6, center: at(s, 0, 1) }),
    fabric: {
      ...rest,
      areaDensity: s * areaDensity,
      stretchWarp: k * stretchWarp,
      stretchWeft: k * stretchWeft,
      shear: k * shear,
      bendingWarp: d * bendingWarp,
      bendingWeft: d * bendingWeft,
    },
  };
}

const scenes: Record<string, Scene> = {
  "a tower": (world, s) => {
    floor(world, s);
    for (let i = 0; i < 6; i++)
      add(world, { shape: box(s, 0.25, 0.25, 0.25), position: at(s, 0.01 * (i % 2), 0.25 + 0.5 * i) });
  },
  "a box that slides on a ramp": (world, s) => {
    floor(world, s, 0.5);
    const [x, y] = [-0.2 * Math.sin(0.5), 0.2 * Math.cos(0.5)];
    add(world, { shape: box(s, 0.2, 0.2, 0.2), position: at(s, x, y), rotation: turned(0.5), friction: 0.3 });
  },
  "a ball that rolls": (world, s) => {
    floor(world, s);
    const shape = { type: "sphere", radius: 0.2 * s } as const;
    add(world, { shape, position: at(s, 0, 0.2), linearVelocity: at(s, 2, 0) });
  },
  "a ball that bounces": (world, s) => {
    floor(world, s);
    const shape = { type: "sphere", radius: 0.2 * s } as const;
    add(world, { shape, position: at(s, 0, 1), restitution: 0.6 });
  },
  "a door that swings": (world, s) => {
    const frame = add(world, { motion: "static" });
    const door = add(world, { shape: box(s, 0.5, 0.02, 0.3), position: at(s, 0.5, 0) });
    hinge(world, s, frame, door, [0, 0, 0], [-0.5, 0, 0]);
  },
  "a chain that hangs": (world, s) => {
    let last = add(world, { motion: "static" });
    for (let i = 0; i < 8; i++) {
      const link = add(world, { shape: box(s, 0.03, 0.1, 0.03), position: at(s, 0, -0.1 - 0.2 * i) });
      hinge(world, s, last, link, [0, i === 0 ? 0 : -0.1, 0], [0, 0.1, 0], true);
      last = link;
    }
  },
  "a sheet that hangs": (world, s) => soft(world, gpbdCloth(sheet(s)), { pins: [0, 6] }),
  "a rope that swings": (world, s) => {
    const positions = Array.from({ length: 13 }, (_, i) => at(s, i / 12, 0)).flat();
    soft(world, ropeModel({ positions, radius: 0.01 * s, density: 1000, youngsModulus: 1e6 * s * s }), { pins: [0] });
  },
  "a soft cube that falls": (world, s) => {
    floor(world, s);
    soft(world, solidModel({ ...cube(s), material: solid(s) }));
  },
  "a soft cube by local-global": (world, s) => {
    floor(world, s);
    soft(world, solidModel({ solver: "local-global", ...cube(s), material: { ...solid(s), model: "corotational" } }));
  },
  "a sheet by local-global": (world, s) => soft(world, localGlobalCloth(sheet(s)), { pins: [0, 6] }),
  "a soft cube by newton": (world, s) => {
    floor(world, s);
    soft(world, solidModel({ solver: "newton", ...cube(s), material: solid(s) }));
  },
};

/** Places of all bodies after each fifth of the scene, in its unit. */
async function play(scene: Scene, s: number, frames: number): Promise<number[]> {
  const world = await World.create({ backend: "reference", gravity: at(s, 0, -9.81) });
  try {
    scene(world, s);
    await world.whenReadyAsync();
    const out: number[] = [];
    for (let k = 1; k <= frames; k++) {
      world.step(DT);
      await world.settled();
      if (k % Math.floor(frames / 5) !== 0) continue;
      for (const body of world.rigid.bodies) out.push(...body.position);
      for (const body of world.bodies) out.push(...(await body.readState()).positions);
    }
    return out.map((x) => x / s);
  } finally {
    world.dispose();
  }
}

it.each(Object.entries(scenes))("%s moves alike in millimetres, metres and kilometres", async (name, scene) => {
  const frames = name.includes("by") ? 15 : 60;
  const metres = await play(scene, 1, frames);
  for (const s of [1e-3, 1e3]) {
    const other = await play(scene, s, frames);
    let most = 0;
    other.forEach((x, i) => (most = Math.max(most, Math.abs(x - metres[i]))));
    expect(most, `unit of ${s} m`).toBeLessThan(1e-6);
  }
});

it("a mechanism swings alike", () => {
  const play = (s: number): number[] => {
    const inertia = [0.01, 0.02, 0.03, 0, 0, 0].map((value) => value * s ** 5) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const simulation = new ArticulatedSimulation(
      {
        name: "arm",
        links: [{ name: "arm", mass: s ** 3, inertia, centerOfMass: at(s, 0.3, 0), joint: { type: "ball" } }],
      },
      { gravity: at(s, 0, -9.81) },
    );
    for (let k = 0; k < 500; k++) simulation.step();
    return [...simulation.q];
  };
  const metres = play(1);
  for (const s of [1e-3, 1e3]) play(s).forEach((x, i) => expect(Math.abs(x - metres[i])).toBeLessThan(1e-6));
});
