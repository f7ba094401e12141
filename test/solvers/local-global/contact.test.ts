import { describe, expect, it } from "vitest";
import { boxTetrahedra, gridMesh, solidModel, type Vec3, World } from "../../../src/index";
import { localGlobalGroup } from "../../../src/world/lanes/local-global-cpu";
import { localGlobalSheet } from "../../../src/models/local-global/local-global-cloth";
import { ContactList } from "../../../src/collision/soft/contact-list";
import { SurfaceDetection } from "../../../src/collision/soft/surface-detection";
import { addCross } from "../../../src/solvers/local-global/body/turning";
import { blockIn } from "./bodies";
import { lastProblem } from "./contact-problem";

const h = 1 / 60;

/** Travel of a stiff block down a slope in half a second, from rest on it. */
async function slide(angle: number, friction: number, options: object = {}, cells: Vec3 = [2, 2, 2]): Promise<number> {
  const a = (angle * Math.PI) / 180;
  const { world, body } = await blockIn([9.81 * Math.sin(a), -9.81 * Math.cos(a), 0], {
    youngsModulus: 1e8,
    center: [0, 0.101, 0],
    cells,
    friction,
    options: { iterations: 10, constraintIterations: 24, ...options },
  });
  world.addCollider({ type: "box", halfExtents: [20, 1, 20], center: [0, -1, 0] }, { friction });
  for (let frame = 0; frame < 30; frame++) world.step(h);
  return (await body.readPositions())[0] - body.model.positions[0];
}

describe("friction of a stiff block on a slope", () => {
  it.each([
    [5, 1],
    [20, 2],
    [35, 1],
  ])("sticks a thousandth above tan %s° and slides one below, %s cells along a side", async (angle, n) => {
    const critical = Math.tan((angle * Math.PI) / 180);
    const cells: Vec3 = [n, n, n];
    expect(Math.abs(await slide(angle, critical + 0.001, {}, cells))).toBeLessThan(5e-5);
    const expected = (0.001 * 9.81 * Math.cos((angle * Math.PI) / 180) * h * h * 30 * 31) / 2;
    const slid = await slide(angle, critical - 0.001, {}, cells);
    expect(slid).toBeGreaterThan(0.9 * expected);
    expect(slid).toBeLessThan(1.3 * expected);
  });

  it.each([0.1, 0.1001])("rests and slides on a box of its own size, half of it %s m", async (half) => {
    const [a, drop] = [Math.PI / 9, 0.001];
    const { world, body } = await blockIn([0, -9.81, 0], {
      youngsModulus: 1e6,
      center: [0, 0.1 + drop, 0],
      cells: [2, 2, 2],
      friction: Math.tan(a) - 0.05,
      options: { iterations: 10, constraintIterations: 24 },
    });
    const shape = { type: "box", halfExtents: [half, 0.1, half], center: [0, -0.1, 0] } as const;
    world.addCollider(shape, { friction: Math.tan(a) - 0.05 });
    const { positions: start } = body.model;
    const low = [...start.keys()].filter((i) => i % 3 === 1 && start[i] < 2 * drop);
    for (let frame = 0; frame < 20; frame++) world.step(h);
    const rested = await body.readPositions();
    for (const i of low) {
      // the rim is borne, and not pushed off sideways
      expect(rested[i]).toBeGreaterThan(0.7 * drop);
      for (const side of [i - 1, i + 1]) expect(Math.abs(rested[side] - start[side])).toBeLessThan(0.5 * drop);
    }
    world.gravity = [9.81 * Math.sin(a), -9.81 * Math.cos(a), 0];
    for (let frame = 0; frame < 15; frame++) world.step(h);
    const expected = (0.05 * 9.81 * Math.cos(a) * h * h * 15 * 16) / 2;
    const slid = (await body.readPositions())[0] - rested[0];
    expect(slid).toBeGreaterThan(0.8 * expected);
    expect(slid).toBeLessThan(2 * expected);
  });

  it("goes with what it lies on as that turns, however thick contact is", async () => {
    const thickness = 0.02;
    const { world, body } = await blockIn([0, -9.81, 0], {
      youngsModulus: 1e8,
      center: [0, 0.1 + thickness, 0],
      cells: [1, 1, 1],
      options: { thickness },
    });
    const table = world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] }, { friction: 1 });
    let angle = 0;
    for (let frame = 1; frame <= 20; frame++) {
      angle = ((1 - Math.cos((Math.PI * frame) / 20)) / 2) * 0.25;
      table.setPose([0, 0, 0], [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)]);
      world.step(h);
    }
    const x = await body.readPositions();
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let i = 0; i < x.length; i += 3)
      expect(Math.abs(c * x[i] + s * x[i + 1] - body.model.positions[i])).toBeLessThan(0.02 * angle * thickness);
  });

  it.each(["fischer-burmeister", "minimum-map"] as const)("sticks and slides with %s", async (complementarity) => {
    const a = Math.PI / 9;
    const way = (acceleration: number): number => (acceleration * h * h * 30 * 31) / 2;
    const near = async (more: number): Promise<number> => slide(20, Math.tan(a) + more, { complementarity }, [1, 1, 1]);
    expect(Math.abs(await near(0.001))).toBeLessThan(5e-5);
    const slid = (await near(-0.001)) / way(0.001 * 9.81 * Math.cos(a));
    expect(slid).toBeGreaterThan(0.9);
    expect(slid).toBeLessThan(1.3);
    // and without guards, as in the paper's appendix B
    const smooth = await slide(20, 0, { complementarity, guarded: false, newtonIterations: 1 }, [1, 1, 1]);
    expect(smooth / way(9.81 * Math.sin(a))).toBeCloseTo(1, 4);
  });

  it("has a threshold at least 20 times nearer than with the inverse masses as preconditioner", async () => {
    const critical = Math.tan((10 * Math.PI) / 180);
    const paper = { guarded: false, newtonIterations: 1 };
    // a twentieth below the threshold the former still sticks, a four-hundredth below it the latter slides
    const free = (below: number): number => (below * 9.81 * Math.cos((10 * Math.PI) / 180) * h * h * 30 * 31) / 2;
    const coarse = await slide(10, critical - 0.05, { ...paper, complementarityScale: "mass-inverse" }, [4, 4, 4]);
    expect(Math.abs(coarse)).toBeLessThan(0.01 * free(0.05));
    const fine = await slide(10, critical - 0.0025, paper, [4, 4, 4]);
    expect(fine).toBeGreaterThan(0.9 * free(0.0025));
  });
});

describe("bodies of one world", () => {
  it("carry one another: forces are weights, and equal and opposite", async () => {
    const { world, body } = await blockIn([0, -9.81, 0], { center: [0, 0.102, 0], options: { damping: 2 } });
    world.addCollider({ type: "box", halfExtents: [20, 1, 20], center: [0, -1, 0] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 500, friction: 0.5 };
    const upper = world.addBody(
      solidModel({
        solver: "local-global",
        ...boxTetrahedra({ size: [0.15, 0.1, 0.15], cells: [2, 1, 2], center: [0.01, 0.254, 0.02] }),
        material,
        name: "upper",
      }),
      { damping: 2 },
    );
    for (let frame = 0; frame < 90; frame++) world.step(h);
    const sums = { ground: 0, between: 0 };
    localGlobalGroup(world).forEachForce(({ model, other, force }) => {
      if (!other) sums.ground += force[1];
      else sums.between += model === upper.model ? force[1] : -force[1];
    });
    const weight = 9.81 * 0.15 * 0.1 * 0.15 * 500;
    expect(sums.between / weight).toBeCloseTo(1, 2);
    expect(sums.ground / (weight + 9.81 * 8)).toBeCloseTo(1, 2);
    const { complementarity, frictionCone } = localGlobalGroup(world).residuals;
    expect(complementarity).toBeLessThan(1e-6);
    expect(frictionCone).toBeLessThan(1e-6);
    expect(body.name).not.toBe(upper.name);
  });

  it("and rigid ones exchange momentum", async () => {
    const { world, body } = await blockIn([0, 0, 0], { center: [0, 0, 0], youngsModulus: 1e6 });
    const rigid = world.addRigidBody({
      shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] },
      mass: 3,
      position: [0.03, 0.23, 0],
      linearVelocity: [0, -2, 0],
    });
    for (let frame = 0; frame < 30; frame++) world.step(h);
    const { velocities } = await body.readState();
    let soft = 0;
    body.model.masses.forEach((mass, i) => (soft += mass * velocities[3 * i + 1]));
    expect(rigid.linearVelocity[1]).toBeGreaterThan(-1.9);
    expect(soft + 3 * rigid.linearVelocity[1]).toBeCloseTo(-6, 6);
  });
});

describe("a coarse sheet on a sharp corner", () => {
  const HALF = 0.14;
  const THICKNESS = 0.003;

  /** Largest depth of its edges in a cube with corners between vertices, while it falls and hangs down [m]. */
  async function deepest(contactPasses: number): Promise<number> {
    const world = await World.create({ backend: "cpu" });
    world.addCollider({ type: "box", halfExtents: [HALF, HALF, HALF], center: [0, -HALF, 0] }, { friction: 0.3 });
    const mesh = gridMesh({ width: 0.6, height: 0.6, columns: 5, rows: 5, center: [0.01, 0.02, 0.02] });
    const material = {
      youngsModulus: 1e5,
      poissonRatio: 0.4,
      density: 1000,
      friction: 0.3,
      model: "neo-hookean",
    } as const;
    const options = { contactPasses, thickness: THICKNESS, contactMargin: 0.006, damping: 2 };
    const body = world.addBody(localGlobalSheet({ ...mesh, thickness: 0.002, material }), options);
    const { faces } = body.model;
    let most = 0;
    for (let frame = 0; frame < 45; frame++) {
      world.step(h);
      const x = await body.readPositions();
      for (let f = 0; f < faces.length; f++)
        for (let t = 0; t <= 1; t += 0.1) {
          const [a, b] = [3 * faces[f], 3 * faces[f % 3 === 2 ? f - 2 : f + 1]];
          const p = [0, 1, 2].map((c) => (1 - t) * x[a + c] + t * x[b + c]) as [number, number, number];
          most = Math.max(most, Math.min(HALF - Math.abs(p[0]), -p[1], HALF - Math.abs(p[2])));
        }
    }
    world.dispose();
    return most;
  }

  it("does not get into it where contact is looked for again, and does with one pass", async () => {
    expect(await deepest(3)).toBeLessThan(THICKNESS / 10);
    expect(await deepest(1)).toBeGreaterThan(THICKNESS / 3);
  });
});

describe("a fine sheet on the ground", () => {
  it("is solved with ten conjugate residuals a step, by columns of S, as by entries of A⁻¹", async () => {
    const world = await World.create({ backend: "cpu", gravity: [0, -9.81, 0] });
    world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] }, { friction: 0.3 });
    const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000, model: "neo-hookean" } as const;
    const mesh = gridMesh({ width: 0.5, height: 0.5, columns: 24, rows: 24, center: [0, 0.004, 0] });
    const options = { constraintIterations: 10, pins: [0, 24], thickness: 0.003 };
    world.addBody(localGlobalSheet({ ...mesh, thickness: 0.002, material }), options);
    for (let frame = 0; frame < 5; frame++) world.step(0.01);
    const { contacts, complementarity, frictionCone, stickingSlip } = localGlobalGroup(world).residuals;
    expect(contacts).toBeGreaterThan(500);
    for (const residual of [complementarity, frictionCone, stickingSlip]) expect(residual).toBeLessThan(1e-9);
    const part = lastProblem(world).delassus.parts[0];
    expect(part.entries.length).toBe(0);
    part.force.forEach((_, i) => (part.force[i] = Math.sin(i)));
    part.multiply();
    for (const slot of [0, 100, 400]) {
      const moved = part.moved.slice(3 * slot, 3 * slot + 3);
      addCross(-1, part.theta, 0, part.arms, 3 * slot, moved);
      for (let c = 0; c < 3; c++) {
        let sum = 0;
        part.vertices.forEach((_, j) => (sum += part.entry(slot, j) * part.force[3 * j + c]));
        expect(Math.abs(moved[c] - sum)).toBeLessThan(1e-12 * part.diagonal[slot] * part.vertices.length);
      }
    }
  });
});

describe("surfaces of two solids", () => {
  // in a step the lower cube's upper edge has come up beside the other's lower edge, while the upper cube moves down fast
  it.each([0.002, -0.004])("push them apart where corners pass by edges, %s m beside", (beside) => {
    const size: Vec3 = [0.2, 0.2, 0.2];
    const [lower, upper] = [
      boxTetrahedra({ size, cells: [2, 2, 2], center: [0.02, 0, 0.2 + beside] }),
      boxTetrahedra({ size, cells: [2, 2, 2], center: [0, 0.205, 0] }),
    ].map((mesh, k) => {
      const { positions, faces } = solidModel({
        solver: "local-global",
        ...mesh,
        material: { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 },
      });
      return {
        surface: Uint32Array.from(new Set(faces)),
        inner: new Uint32Array(0),
        pinned: new Uint8Array(positions.length / 3),
        restPositions: Float64Array.from(positions),
        start: Float64Array.from(positions),
        predicted: Float64Array.from(positions, (x, i) => (k === 1 && i % 3 === 1 ? x - 0.03 : x)),
        faces: Uint32Array.from(faces),
        isSolid: true,
        thickness: 0.001,
        margin: 0.01,
        friction: 0.5,
        selfCollision: false,
        bodyCollision: true,
      };
    });
    const list = new ContactList();
    new SurfaceDetection().find([lower, upper], list);
    for (let n = 0; n < list.count; n++) {
      const side = list.body[4 * n] === 0 ? 1 : -1;
      const [, y, z] = list.frame.subarray(9 * n, 9 * n + 3);
      // pushes the lower one down, or away from the upper one's side
      expect(-side * y).toBeGreaterThan(-0.2);
      expect(side * z).toBeGreaterThan(-0.2);
    }
    expect(list.count).toBeGreaterThan(0);
  });
});
