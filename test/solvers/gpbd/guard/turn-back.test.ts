import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel } from "../../../../src/index";
import { meshVolume } from "../../../../src/geometry/tetrahedra/tet-mesh";
import type { GpbdModel } from "../../../../src/solvers/gpbd/model";
import { turnBack } from "../../../../src/solvers/gpbd/guard/turn-back";
import { ColliderSet } from "../../../../src/collision/obstacles/collider-set";
import { RandomGeometry } from "../../../collision/random";

/** A free cube in any motion, with vertices pushed through it. */
function tangledCube(seed: number, cells: number, push: number) {
  const random = new RandomGeometry(seed);
  const mesh = boxTetrahedra({ size: [1, 1, 1], cells: [cells, cells, cells] });
  const model = solidModel({
    ...mesh,
    material: { model: "stvk", youngsModulus: 1e4, poissonRatio: 0.3, density: 1000 },
  }) as GpbdModel;
  const positions = Float64Array.from(mesh.positions);
  for (let k = 0; k < 4; k++) positions[Math.floor(random.between(0, positions.length - 1e-9))] += push;
  const velocities = positions.map(() => random.between(-1, 1));
  return { model, positions, velocities, inverseMasses: model.masses.map((mass) => 1 / mass) };
}

function motionOf({ model, positions: x, velocities: v }: ReturnType<typeof tangledCube>) {
  const [linear, angular] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let energy = 0;
  model.masses.forEach((m, p) => {
    for (let c = 0; c < 3; c++) {
      const [i, j] = [3 * p + ((c + 1) % 3), 3 * p + ((c + 2) % 3)];
      linear[c] += m * v[3 * p + c];
      angular[c] += m * (x[i] * v[j] - x[j] * v[i]);
      energy += 0.5 * m * v[3 * p + c] ** 2;
    }
  });
  return { linear, angular, energy };
}

function insideOut({ model, positions }: ReturnType<typeof tangledCube>): number {
  const t = model.tetrahedra!;
  let count = 0;
  for (let e = 0; e < t.length; e += 4) if (!(meshVolume(positions, t.subarray(e, e + 4)) > 0)) count++;
  return count;
}

const nothing = { colliders: new ColliderSet(), thickness: 0.01 };

describe("what is inside out at the end of a frame", () => {
  it.each([1, 2, 3, 4, 5, 6].map((seed) => [seed, 2 + (seed % 3), seed % 2 ? 1.5 : -0.8] as const))(
    "comes back with its momentum and no more energy: seed %i, %i cells, pushed by %f",
    (seed, cells, push) => {
      const cube = tangledCube(seed, cells, push);
      expect(insideOut(cube)).toBeGreaterThan(0);
      const before = motionOf(cube);
      turnBack(cube.model, cube, nothing);
      const after = motionOf(cube);
      expect(insideOut(cube)).toBe(0);
      for (let c = 0; c < 3; c++) {
        expect(Math.abs(after.linear[c] - before.linear[c])).toBeLessThan(1e-10 * 1000);
        // not all of it: what draws together would turn faster than its energy allows
        expect(Math.abs(after.angular[c] - before.angular[c])).toBeLessThan(0.1 * 1000);
      }
      expect(after.energy).toBeLessThan(before.energy);
    },
  );

  it("moves nothing that is held, and nothing of what is sound", () => {
    const cube = tangledCube(7, 2, 1.5);
    cube.inverseMasses.fill(0, 0, 9);
    const held = cube.positions.slice(0, 27);
    turnBack(cube.model, cube, nothing);
    expect(cube.positions.slice(0, 27)).toEqual(held);
    const sound = tangledCube(8, 2, 0);
    const { positions, velocities } = sound;
    const copies = [positions.slice(), velocities.slice()];
    turnBack(sound.model, sound, nothing);
    expect([positions, velocities]).toEqual(copies);
  });
});
