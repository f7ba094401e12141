import { describe, expect, it } from "vitest";
import { addCable, boxTetrahedra, solidModel, type DeformableBody, type Vec3, type World } from "../../src/index";
import { turn } from "../../src/math/quaternions";
import { gridCloth } from "./cloths";
import { expectRefused } from "../refusal";
import { expectWithin } from "../figures";
import { inWorld, run } from "./worlds";

const SIDE = 0.2;

function cube(world: World, center: Vec3, options: object = {}): DeformableBody {
  const mesh = boxTetrahedra({ size: [SIDE, SIDE, SIDE], cells: [2, 2, 2], center });
  const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000, model: "stable-neo-hookean" } as const;
  return world.addBody(solidModel({ solver: "local-global", ...mesh, name: "cube", material }), {
    damping: 4,
    ...options,
  });
}

/** The vertex nearest to a place. */
function vertexAt({ model }: DeformableBody, [x, y, z]: Vec3): number {
  const p = model.positions;
  const far = (i: number): number => Math.hypot(p[3 * i] - x, p[3 * i + 1] - y, p[3 * i + 2] - z);
  return [...model.masses.keys()].reduce((best, i) => (far(i) < far(best) ? i : best));
}

function weight({ model }: DeformableBody): number {
  return 9.81 * model.masses.reduce((sum, mass) => sum + mass, 0);
}

async function place(body: DeformableBody, vertex: number): Promise<Vec3> {
  const x = await body.readPositions();
  return [x[3 * vertex], x[3 * vertex + 1], x[3 * vertex + 2]];
}

describe("cables of local-global bodies", () => {
  it("carry a body by its weight, as long as they are to be", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = cube(world, [0, 0, 0]);
      const vertex = vertexAt(body, [0, SIDE / 2, 0]);
      const cable = addCable(world, { points: [[0, 0.5, 0], { body, vertex }] });
      expect(cable.length).toBeUndefined();
      run(world, 120);
      expect(cable.length).toBeCloseTo(0.4, 12);
      expectWithin("tension over weight - 1", Math.abs(cable.tension / weight(body) - 1), 1e-3);
      expect((await place(body, vertex))[1]).toBeCloseTo(0.1, 4);
      cable.length = 0.2;
      run(world, 120);
      expect((await place(body, vertex))[1]).toBeCloseTo(0.3, 4);
      const other = addCable(world, { points: [[0, 0.5, 0], { body, vertex }], length: 5 });
      cable.dispose();
      cable.dispose();
      run(world, 30);
      expect(other.length).toBe(5);
      expect((await place(body, vertex))[1]).toBeLessThan(-0.2);
    }));

  it("give by their compliance, and are slack where nothing pulls", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = cube(world, [0, 0, 0]);
      const vertex = vertexAt(body, [0, SIDE / 2, 0]);
      const compliance = 0.05 / weight(body);
      const cable = addCable(world, { points: [[0, 0.5, 0], { body, vertex }], compliance });
      const slack = addCable(world, { points: [{ body, vertex }, [0, 0.5, 0.1]], length: 2 });
      run(world, 100);
      expect((await place(body, vertex))[1]).toBeCloseTo(0.05, 2);
      expectWithin("tension over weight - 1", Math.abs(cable.tension / weight(body) - 1), 2e-2);
      expect(slack.tension).toBe(0);
    }));

  it("push, too, where they are to", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, 9.81, 0];
      const body = cube(world, [0, 0, 0]);
      const vertex = vertexAt(body, [0, SIDE / 2, 0]);
      const rod = addCable(world, { points: [[0, 0.5, 0], { body, vertex }], pushes: true });
      // not for long: it is unstable upside down
      run(world, 24);
      expect(rod.tension).toBeLessThan(-0.9 * weight(body));
      expect((await place(body, vertex))[1]).toBeCloseTo(0.1, 2);
    }));

  it("hang two bodies over a pulley: the same tension on both sides, which carries both", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const bodies = [cube(world, [-0.5, 0, 0]), cube(world, [0.5, 0, 0])];
      const [left, right] = bodies.map((body, i) => ({ body, vertex: vertexAt(body, [i - 0.5, SIDE / 2, 0]) }));
      const cable = addCable(world, { points: [left, [-0.5, 1, 0], [0.5, 1, 0], right] });
      run(world, 50);
      expectWithin("tension over weight - 1", Math.abs(cable.tension / weight(bodies[0]) - 1), 1e-3);
      const [a, b] = [(await place(left.body, left.vertex))[1], (await place(right.body, right.vertex))[1]];
      expect(1 - a + 1 + (1 - b)).toBeCloseTo(cable.length!, 5);
    }));

  it("keep momentum between two bodies that nothing else holds", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, 0, 0];
      const bodies = [cube(world, [-0.3, 0, 0], { damping: 0 }), cube(world, [0.3, 0.1, 0], { damping: 0 })];
      const [left, right] = bodies.map((body, i) => ({ body, vertex: vertexAt(body, [i === 0 ? -0.2 : 0.2, 0, 0]) }));
      const cable = addCable(world, { points: [left, right] });
      world.step(1 / 60);
      cable.length = 0.7 * cable.length!;
      run(world, 20);
      const momentum = [0, 0, 0];
      let speed = 0;
      for (const body of bodies) {
        const { velocities } = await body.readState();
        velocities.forEach((v, i) => (momentum[i % 3] += v * body.model.masses[Math.floor(i / 3)]));
        speed = Math.max(speed, ...velocities.map(Math.abs));
      }
      expect(speed).toBeGreaterThan(0.1);
      for (const p of momentum) expect(Math.abs(p)).toBeLessThan(1e-6 * speed * bodies[0].model.masses.length);
    }));

  it("hang a rigid weight on a body, which bears both", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = cube(world, [0, 0, 0]);
      const [top, bottom] = [SIDE / 2, -SIDE / 2].map((y) => ({ body, vertex: vertexAt(body, [0, y, 0]) }));
      const shape = { type: "box", halfExtents: [0.05, 0.05, 0.05] } as const;
      // damping of its fall would carry a part of it
      const rigid = world.addRigidBody({ shape, mass: 2, position: [-0.01, -0.4, 0], angularDamping: 5 });
      const upper = addCable(world, { points: [[0, 0.5, 0], top] });
      // it is tied off-center, and turns until it hangs below that point
      const point: Vec3 = [0.01, 0.05, 0];
      const lower = addCable(world, { points: [bottom, { rigid, point }] });
      world.step(1 / 60);
      expect(lower.length).toBeCloseTo(0.35 - SIDE / 2, 9);
      run(world, 150);
      const load = 9.81 * rigid.mass;
      expectWithin("tension over weight - 1", Math.abs(lower.tension / load - 1), 0.01);
      expectWithin("tension over both weights - 1", Math.abs(upper.tension / (load + weight(body)) - 1), 0.01);
      const [x, y, z] = turn(rigid.rotation, point);
      const [cx, cy, cz] = rigid.position;
      const [bx, by, bz] = await place(body, bottom.vertex);
      expect(Math.hypot(cx + x - bx, cy + y - by, cz + z - bz)).toBeCloseTo(lower.length!, 5);
      expect(Math.abs(cx)).toBeLessThan(0.002);
      rigid.dispose();
      expectRefused(() => addCable(world, { points: [bottom, { rigid, point }] }), "disposed", /in the world/);
    }));

  it("hang a weight that has no shape, until it is untied", () =>
    inWorld("cpu", {}, async (world) => {
      world.gravity = [0, -9.81, 0];
      const body = cube(world, [0, 0, 0]);
      body.pin([vertexAt(body, [0, SIDE / 2, 0])]);
      const bottom = { body, vertex: vertexAt(body, [0, -SIDE / 2, 0]) };
      const rigid = world.addRigidBody({ mass: 1, position: [0, -0.4, 0] });
      const cable = addCable(world, { points: [bottom, { rigid, point: [0, 0, 0] }] });
      run(world, 60);
      expectWithin("tension over weight - 1", Math.abs(cable.tension / 9.81 - 1), 0.01);
      const height = rigid.position[1];
      cable.dispose();
      run(world, 30);
      expect(rigid.position[1] - height).toBeCloseTo((-9.81 * 0.5 * 30 * 31) / 3600, 1);
    }));

  it("are refused where they cannot be", () =>
    inWorld("cpu", {}, async (world) => {
      const body = cube(world, [0, 0, 0]);
      const cloth = world.addBody(gridCloth({ width: 1, height: 1, columns: 2, rows: 2 }), {});
      const end: Vec3 = [0, 1, 0];
      const refused = (points: readonly (Vec3 | { body: DeformableBody; vertex: number })[], rest: object = {}) => {
        return () => addCable(world, { points, ...rest });
      };
      expectRefused(refused([end]), "invalid-argument", /two or more/);
      expectRefused(refused([end, [0, 2, 0]]), "invalid-argument", /on a body/);
      expectRefused(refused([end, end, { body, vertex: 0 }]), "invalid-argument", /another place/);
      expectRefused(refused([[0, NaN, 0], { body, vertex: 0 }]), "non-finite", /finite/);
      expectRefused(refused([end, { body: cloth, vertex: 0 }]), "invalid-argument", /local-global/);
      expectRefused(refused([end, { body, vertex: 27 }]), "index-out-of-range", /below 27/);
      expectRefused(refused([end, { body, vertex: 0 }], { length: 0 }), "invalid-argument", /positive/);
      expectRefused(refused([end, { body, vertex: 0 }], { compliance: -1 }), "invalid-argument", /negative/);
      const rod = { points: [end, { body, vertex: 0 }], length: 1, pushes: true };
      addCable(world, rod);
      const reversed = { ...rod, points: rod.points.toReversed(), length: 1.3 };
      expectRefused(() => addCable(world, reversed), "invalid-argument", /two lengths/);
      addCable(world, { ...reversed, compliance: 1e-6 });
      addCable(world, { ...reversed, pushes: false });
      const cable = addCable(world, { points: [end, { body, vertex: 0 }] });
      expectRefused(() => (cable.length = -1), "invalid-argument", /positive/);
      expect(cable.length).toBeUndefined();
    }));
});
