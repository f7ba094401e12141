import { beforeAll, describe, expect, it } from "vitest";
import { type Fabric, type FabricName, fabrics } from "../../src/materials/fabric";
import { membraneOf, stiffening } from "../../src/solvers/gpbd/tethers/swing";
import { tetherParts } from "../../src/world/backend/sheet-parts";
import { gridCloth, verticesWhere } from "./cloths";
import { type BackendName, frameTime, inWorld } from "./worlds";

interface Swing {
  readonly backend: BackendName | "reference";
  readonly fabric: FabricName;
  readonly cells: number;
  /** side of the sheet [m] */
  readonly size: number;
  /** of the box on a sheet of a meter [kg] */
  readonly mass: number;
}

/** A box that falls on a sheet with all of its rim pinned: highest and lowest place after `from` seconds, and its largest energy a kilogram. */
async function swing(
  { backend, fabric, cells, size, mass }: Swing,
  swingDamping: number,
  from: number,
  until: number,
  linearDamping = 0,
) {
  return inWorld(backend, {}, async (world) => {
    const own: Fabric = { ...fabrics[fabric], swingDamping };
    const model = gridCloth({ width: size, height: size, columns: cells, rows: cells }, { fabric: own });
    const rim = verticesWhere(model.positions, (x, _, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.499 * size);
    world.addBody(model, { pins: rim, thickness: 0.004 * size });
    const half = 0.08 * size;
    const box = world.addRigidBody({
      shape: { type: "box", halfExtents: [half, half, half] },
      mass: mass * size * size,
      linearDamping,
      position: [0, half + 0.05 * size, 0],
    });
    const energy = (): number => 0.5 * Math.hypot(...box.linearVelocity) ** 2 + 9.81 * box.position[1];
    const first = energy();
    let [lowest, highest, gain] = [Infinity, -Infinity, -Infinity];
    const frames = Math.round(until / frameTime);
    const look = (frame: number): void => {
      gain = Math.max(gain, energy() - first);
      if (frame * frameTime < from) return;
      lowest = Math.min(lowest, box.position[1]);
      highest = Math.max(highest, box.position[1]);
    };
    for (let frame = 0; frame < frames; frame++) {
      look(frame);
      world.step(frameTime);
      if (backend === "webgpu") await world.settled();
    }
    return { swings: (highest - lowest) / size, middle: (highest + lowest) / 2 / size, gain: gain / (9.81 * size) };
  });
}

describe("the swing of a box on pinned cloth", () => {
  beforeAll(() => Promise.all([tetherParts.cpu.load(), tetherParts.webgpu.load()]));

  it.each<Swing>([
    { backend: "cpu", fabric: "denim", cells: 8, size: 1, mass: 2 },
    { backend: "cpu", fabric: "cotton", cells: 8, size: 1, mass: 5 },
    { backend: "cpu", fabric: "silk", cells: 8, size: 0.3, mass: 1 },
    { backend: "cpu", fabric: "denim", cells: 8, size: 3, mass: 2 },
    { backend: "reference", fabric: "denim", cells: 6, size: 1, mass: 2 },
    { backend: "webgpu", fabric: "denim", cells: 6, size: 1, mass: 2 },
    { backend: "webgpu", fabric: "silk", cells: 6, size: 0.3, mass: 1 },
  ])("dies down, $mass kg on $size m of $fabric ($backend)", async (scene) => {
    // Waves take their time with the square root of the size.
    const seconds = 3 * Math.sqrt(scene.size);
    const { swingDamping } = fabrics[scene.fabric];
    const free = await swing(scene, 0, seconds, 1.3 * seconds);
    const damped = await swing(scene, swingDamping!, seconds, 1.3 * seconds);
    expect(damped.swings).toBeLessThan(0.5 * free.swings);
    expect(damped.gain).toBeLessThan(1e-3);
  });

  it("ends where it ends without: no stiffness is lost", async () => {
    const scene: Swing = { backend: "cpu", fabric: "cotton", cells: 8, size: 1, mass: 5 };
    const free = await swing(scene, 0, 3.4, 3.5, 10);
    const damped = await swing(scene, 8e-3, 3.4, 3.5, 10);
    expect(Math.abs(damped.middle / free.middle - 1)).toBeLessThan(0.01);
  });
});

describe("stiffening", () => {
  const model = gridCloth({ width: 1, height: 1, columns: 3, rows: 3 }, { fabric: "denim" });
  const term = membraneOf(model)!;
  /** of a sheet that is stretched by 1 + a and moves with these velocities */
  function factor(a: number, velocityAt: (x: number, y: number, z: number) => number[], time = 0.01): number {
    const positions = model.positions.map((x) => (1 + a) * x);
    const velocities = new Float64Array(positions.length);
    for (let i = 0; i < positions.length; i += 3)
      velocities.set(velocityAt(positions[i], positions[i + 1], positions[i + 2]), i);
    return stiffening(term, fabrics.denim, time, { positions, velocities });
  }

  it("is that of Kelvin and Voigt where the strain grows evenly", () => {
    // E = a + a²/2, and dE/dt = (1 + a) da/dt with velocities r x, da/dt = r (1 + a)
    const [a, rate] = [0.1, 3];
    const expected = 1 + (0.01 * (1 + a) ** 2 * rate) / (a + (a * a) / 2);
    expect(factor(a, (x, y, z) => [rate * x, rate * y, rate * z])).toBeCloseTo(expected, 10);
    expect(factor(a, (x, y, z) => [-rate * x, -rate * y, -rate * z])).toBeCloseTo(2 - expected, 10);
  });

  it("is none at rest, in rigid motion, and without a strain", () => {
    expect(factor(0.1, () => [0, 0, 0])).toBe(1);
    expect(factor(0.1, (x, _, z) => [3 + 2 * z, 1, -2 * x])).toBeCloseTo(1, 12);
    expect(factor(0, (x, y, z) => [x, y, z])).toBe(1);
  });

  it("is bounded where a sheet has just tightened", () => {
    expect(factor(1e-6, (x, y, z) => [x, y, z])).toBe(1.5);
    expect(factor(1e-6, (x, y, z) => [-x, -y, -z])).toBe(0.5);
  });
});
