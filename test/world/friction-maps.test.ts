/** Maps of friction: factors at the vertices of cloth, against obstacles, rigid bodies and other cloth. */
import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { clothModel, fabrics, withMaps, type World } from "../../src/index";
import { RandomGeometry } from "../collision/random";
import { allBackends, inWorld } from "./worlds";

const G = 9.81;
const THICKNESS = 0.004;
const sheet = gridMesh({ width: 0.6, height: 0.4, columns: 12, rows: 8 });
const count = sheet.positions.length / 3;

/** A sheet whose friction has a factor at each vertex. */
function mapped(factorAt: (v: number) => number, mesh = sheet) {
  const friction = Float64Array.from({ length: mesh.positions.length / 3 }, (_, v) => factorAt(v));
  return withMaps(clothModel({ ...mesh, fabric: fabrics.denim }), { friction });
}

/** Gravity on a ramp that leans by an angle, in the coordinates of the ramp. */
const leaning = (angle: number): [number, number, number] => [G * Math.sin(angle), -G * Math.cos(angle), 0];

/** The ground just touches what lies at a height of zero. */
function addGround(world: World): void {
  world.addCollider({ type: "box", halfExtents: [20, 0.5, 20] }, { position: [0, -0.5 - THICKNESS, 0], friction: 1 });
}

/** Mean place of vertices along x [m]. */
function along(x: ArrayLike<number>, of: (v: number) => boolean = () => true): number {
  const list = [...Array(x.length / 3).keys()].filter(of);
  return list.reduce((sum, v) => sum + x[3 * v], 0) / list.length;
}

describe.each(allBackends)("a map of friction on %s", (backend) => {
  /** Way down a ramp in half a second, of a sheet of the friction coefficient `friction`² with a ground of 1. */
  const slide = (angle: number, friction: number, factorAt?: (v: number) => number): Promise<Float32Array> =>
    inWorld(backend, { gravity: leaning(angle) }, async (world) => {
      addGround(world);
      const model = factorAt ? mapped(factorAt) : clothModel({ ...sheet, fabric: fabrics.denim });
      const body = world.addBody(model, { friction, airDensity: 0, thickness: THICKNESS });
      for (let frame = 0; frame < 30; frame++) world.step(1 / 60);
      return body.readPositions();
    });

  it("that is the same everywhere is a friction coefficient", async () => {
    for (const [angle, friction, factor] of [
      [0.6, 0.2, 0.5],
      [0.3, 0.02, 1.7],
      [0.6, 1.2, 0],
    ]) {
      const [plain, own] = [await slide(angle, friction * factor), await slide(angle, friction, () => factor)];
      // Kernels of the CPU know no map, and count in f32.
      const tolerance = backend === "reference" ? 1e-12 : 2e-4;
      own.forEach((value, i) => expect(Math.abs(value - plain[i])).toBeLessThan(tolerance));
      const expected = 0.125 * G * Math.max(0, Math.sin(angle) - Math.sqrt(friction * factor) * Math.cos(angle));
      expect(Math.abs(along(own) - expected)).toBeLessThan(0.02 * expected + 2e-3);
    }
  });

  it("holds a sheet by the mean of its particles", async () => {
    const random = new RandomGeometry(11);
    const angle = 0.7;
    const friction = 0.16;
    const factors = Float64Array.from({ length: count }, () => random.between(0, 2));
    const x = await slide(angle, friction, (v) => factors[v]);
    const { masses } = clothModel({ ...sheet, fabric: fabrics.denim });
    const whole = masses.reduce((a, b) => a + b, 0);
    // Combined with the ground's by the geometric mean.
    const mean = masses.reduce((sum, mass, v) => sum + (mass / whole) * Math.sqrt(friction * factors[v]), 0);
    const expected = 0.125 * G * (Math.sin(angle) - mean * Math.cos(angle));
    expect(along(x) / expected).toBeCloseTo(1, 1);
  });

  it("turns a sheet that is rough on one side", async () => {
    const z = (v: number): number => sheet.positions[3 * v + 2];
    const x = await slide(0.5, 0.25, (v) => (z(v) > 0 ? 1.5 : 0));
    const [rough, smooth] = [along(x, (v) => z(v) > 0.01), along(x, (v) => z(v) < -0.01)];
    expect(smooth - rough).toBeGreaterThan(0.05);
  });

  it("stops a rigid box where it is rough", async () => {
    const wide = gridMesh({ width: 2, height: 0.6, columns: 20, rows: 6 });
    const pins = [...Array(wide.positions.length / 3).keys()].filter((v) => Math.abs(wide.positions[3 * v + 2]) > 0.29);
    const speeds = await inWorld(backend, { gravity: [0, -G, 0] }, async (world) => {
      addGround(world);
      // Smooth for the first half meter of the way.
      const model = mapped((v) => (wide.positions[3 * v] > 0 ? 1 : 0), wide);
      world.addBody(model, { friction: 1, airDensity: 0, pins, thickness: THICKNESS });
      const box = world.addRigidBody({
        shape: { type: "box", halfExtents: [0.12, 0.1, 0.12] },
        mass: 2,
        friction: 1,
        position: [-0.6, 0.1 + THICKNESS, 0],
        linearVelocity: [2, 0, 0],
      });
      const seen: number[] = [];
      for (let frame = 0; frame < 36; frame++) {
        world.step(1 / 60);
        await world.settled();
        if (frame === 12 || frame === 35) seen.push(box.linearVelocity[0]);
      }
      return seen;
    });
    expect(speeds[0]).toBeGreaterThan(1.9);
    expect(Math.abs(speeds[1])).toBeLessThan(0.25);
  });

  it("acts between two sheets", async () => {
    const lower = gridMesh({ width: 1.6, height: 0.5, columns: 16, rows: 5 });
    const way = (factor: number): Promise<number> =>
      inWorld(backend, { gravity: leaning(0.5) }, async (world) => {
        addGround(world);
        const pins = [...Array(lower.positions.length / 3).keys()];
        world.addBody(clothModel({ ...lower, fabric: fabrics.denim, name: "lower" }), {
          pins,
          friction: 1,
          thickness: THICKNESS,
        });
        const model = mapped(() => factor, {
          ...sheet,
          positions: sheet.positions.map((value, i) => value + (i % 3 === 1 ? THICKNESS : i % 3 === 0 ? -0.5 : 0)),
        });
        const body = world.addBody(model, { friction: 1, airDensity: 0, thickness: THICKNESS });
        for (let frame = 0; frame < 12; frame++) world.step(1 / 60);
        return along(await body.readPositions()) + 0.5;
      });
    const free = 0.5 * G * Math.sin(0.5) * 0.04;
    expect(await way(0)).toBeGreaterThan(0.95 * free);
    expect(await way(1)).toBeLessThan(0.1 * free);
  });
});
