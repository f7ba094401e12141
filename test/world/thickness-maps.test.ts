/** Maps of thickness: factors at the vertices of cloth of the distance that it keeps from obstacles, rigid bodies, cloth and itself. */
import { describe, expect, it } from "vitest";
import { gridMesh } from "../../src/geometry/grid";
import { clothModel, fabrics, withMaps, type World } from "../../src/index";
import { RandomGeometry } from "../collision/random";
import { allBackends, inWorld } from "./worlds";

const THICKNESS = 0.02;
const sheet = gridMesh({ width: 0.6, height: 0.4, columns: 12, rows: 8 });
type Mesh = typeof sheet;

const factorsOf = (mesh: Mesh, factorAt: (v: number) => number): Float64Array =>
  Float64Array.from({ length: mesh.positions.length / 3 }, (_, v) => factorAt(v));

/** Cloth whose thickness has a factor at each vertex. */
const mapped = (factors: Float64Array, mesh = sheet) =>
  withMaps(clothModel({ ...mesh, fabric: fabrics.denim }), { thickness: factors });

const lifted = (mesh: Mesh, by: (v: number) => number): Mesh => ({
  ...mesh,
  positions: mesh.positions.map((value, i) => value + (i % 3 === 1 ? by((i - 1) / 3) : 0)),
});

const addGround = (world: World): unknown =>
  world.addCollider({ type: "box", halfExtents: [20, 0.5, 20] }, { position: [0, -0.5, 0] });

async function run(world: World, frames: number): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    world.step(1 / 60);
    await world.settled();
  }
}

describe.each(allBackends)("a map of thickness on %s", (backend) => {
  it("that is the same everywhere is a thickness", async () => {
    const drape = (thickness: number, selfCollision: boolean, factor?: number): Promise<Float32Array> =>
      inWorld(backend, {}, async (world) => {
        world.addCollider({ type: "sphere", radius: 0.15 }, { position: [0.02, -0.16, 0.01] });
        const model = factor ? mapped(factorsOf(sheet, () => factor)) : clothModel({ ...sheet, fabric: fabrics.denim });
        const body = world.addBody(model, { thickness, selfCollision });
        await run(world, 12);
        return body.readPositions();
      });
    for (const [thickness, factor, touchesItself] of [
      [0.01, 0.5, true],
      [0.004, 0.1, false],
    ] as const) {
      const plain = await drape(thickness * factor, touchesItself);
      const own = await drape(thickness, touchesItself, factor);
      const tolerance = backend === "reference" ? 1e-7 : 5e-4;
      own.forEach((value, i) => expect(Math.abs(value - plain[i])).toBeLessThan(tolerance));
    }
  });

  it("keeps each vertex its own distance above the ground", async () => {
    const random = new RandomGeometry(5);
    const [slope, shift] = [random.between(-0.9, 0.9), random.between(-0.2, 0.2)];
    const factors = factorsOf(sheet, (v) => 0.55 + 0.4 * (slope * (sheet.positions[3 * v] / 0.3)) + 0.2 * shift);
    const heights = await inWorld(backend, {}, async (world) => {
      addGround(world);
      const body = world.addBody(
        mapped(
          factors,
          lifted(sheet, () => 1.2 * THICKNESS),
        ),
        { thickness: THICKNESS },
      );
      await run(world, 40);
      return (await body.readPositions()).filter((_, i) => i % 3 === 1);
    });
    heights.forEach((y, v) => expect(Math.abs(y - THICKNESS * factors[v])).toBeLessThan(0.06 * THICKNESS));
  });

  it("begins where it is put, and is not thrown", async () => {
    const factors = factorsOf(sheet, (v) => (sheet.positions[3 * v] > 0 ? 0.1 : 1));
    const heights = await inWorld(backend, {}, async (world) => {
      addGround(world);
      const laid = lifted(sheet, (v) => THICKNESS * factors[v]);
      const body = world.addBody(mapped(factors, laid), { thickness: THICKNESS });
      await run(world, 5);
      return (await body.readPositions()).filter((_, i) => i % 3 === 1);
    });
    heights.forEach((y) => expect(y).toBeLessThan(1.05 * THICKNESS));
  });

  it("lets two sheets lie as far apart as both are thick there", async () => {
    const wide = gridMesh({ width: 0.9, height: 0.6, columns: 12, rows: 8 });
    const [below, above] = [0.4, 0.7];
    const apart = 0.5 * THICKNESS * (below + above);
    const heights = await inWorld(backend, {}, async (world) => {
      const pins = [...Array(wide.positions.length / 3).keys()];
      world.addBody(
        mapped(
          factorsOf(wide, () => below),
          wide,
        ),
        { thickness: THICKNESS, pins },
      );
      const upper = mapped(
        factorsOf(sheet, () => above),
        lifted(sheet, () => 1.3 * apart),
      );
      const body = world.addBody({ ...upper, name: "upper" }, { thickness: THICKNESS });
      await run(world, 24);
      return (await body.readPositions()).filter((_, i) => i % 3 === 1);
    });
    heights.forEach((y) => expect(Math.abs(y - apart)).toBeLessThan(0.06 * THICKNESS));
  });

  it("bears a rigid box where it is thin as where it is thick", async () => {
    const wide = gridMesh({ width: 1.2, height: 0.6, columns: 16, rows: 8 });
    const factors = factorsOf(wide, (v) => (wide.positions[3 * v] > 0 ? 0.25 : 1));
    const heights = await inWorld(backend, {}, async (world) => {
      addGround(world);
      const laid = lifted(wide, (v) => THICKNESS * factors[v]);
      world.addBody(mapped(factors, laid), { thickness: THICKNESS });
      const boxes = [-0.35, 0.35].map((x) =>
        world.addRigidBody({
          shape: { type: "box", halfExtents: [0.12, 0.1, 0.12] },
          mass: 2,
          position: [x, 0.1 + 2.2 * THICKNESS * (x > 0 ? 0.25 : 1), 0],
        }),
      );
      await run(world, 30);
      return boxes.map((box) => box.position[1] - 0.1);
    });
    expect(Math.abs(heights[0] - 2 * THICKNESS)).toBeLessThan(0.6 * THICKNESS);
    expect(Math.abs(heights[1] - 0.5 * THICKNESS)).toBeLessThan(0.3 * THICKNESS);
  });

  it.each([0.5, 0.05, 0.005])("lets nothing through at %f of the thickness", async (factor) => {
    const x = await inWorld(backend, {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [0.1, 0.1, 0.1] });
      const laid = lifted(sheet, () => 0.2);
      const body = world.addBody(
        mapped(
          factorsOf(sheet, () => factor),
          laid,
        ),
        { thickness: THICKNESS },
      );
      const velocities = Float64Array.from(laid.positions, (_, i) => (i % 3 === 1 ? -6 : 0));
      body.writeState({ positions: Float64Array.from(laid.positions), velocities });
      await run(world, 20);
      return body.readPositions();
    });
    for (let v = 0; v < x.length / 3; v++) {
      const depth = Math.min(...[0, 1, 2].map((c) => 0.1 - Math.abs(x[3 * v + c])));
      expect(depth).toBeLessThan(0.1 * factor * THICKNESS + 1e-5);
    }
  });
});
