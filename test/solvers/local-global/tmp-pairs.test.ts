/** Two bodies in free space, one thrown at the other. */
import { describe, expect, it } from "vitest";
import {
  type BodyModel,
  boxTetrahedra,
  clothModel,
  type DeformableBody,
  gridMesh,
  solidModel,
  type Vec3,
  World,
} from "../../../src/index";
import { kineticEnergy, linearMomentum } from "../../../samples/metrics";
import { add } from "../../../src/math/matrix3";
import { product, turn } from "../../../src/math/quaternions";
import { distance, norm } from "../../../src/math/vectors";
import { createWorld } from "../../world/worlds";
import { RandomGeometry } from "../../collision/random";

const solver = "local-global";

function drawBody(random: RandomGeometry, kind: "sheet" | "solid"): BodyModel {
  const cells = 2 + Math.floor(random.between(0, 2.99));
  if (kind === "sheet") {
    const [width, height] = [random.between(0.15, 0.4), random.between(0.15, 0.4)];
    return clothModel({ solver, ...gridMesh({ width, height, columns: cells + 2, rows: cells + 2 }), fabric: "denim" });
  }
  const size = [random.between(0.1, 0.3), random.between(0.1, 0.2), random.between(0.1, 0.3)] as const;
  const mesh = boxTetrahedra({ size, cells: [cells, cells, cells] });
  const material = {
    youngsModulus: 10 ** random.between(4.5, 7),
    poissonRatio: random.between(0, 0.45),
    density: 10 ** random.between(2, 3.3),
  };
  return solidModel({ solver, ...mesh, material });
}

/** Slightly turned, at an arbitrary place beside the axis, with its middle at a height. */
function placed(random: RandomGeometry, { positions }: BodyModel, height: number): Float64Array {
  const [a, b] = [random.between(-0.2, 0.2), random.between(-0.3, 0.3)];
  const rotation = product([0, Math.sin(b), 0, Math.cos(b)], [0, 0, Math.sin(a), Math.cos(a)]);
  const middle = [random.between(-0.08, 0.08), height, random.between(-0.08, 0.08)];
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 3)
    out.set(
      turn(rotation, positions.subarray(i, i + 3)).map((value, c) => value + middle[c]),
      i,
    );
  return out;
}

const lowest = (x: Float64Array, sign: number): number =>
  Math.min(...Array.from({ length: x.length / 3 }, (_, p) => sign * x[3 * p + 1]));

async function motionOf(bodies: readonly DeformableBody[]): Promise<{ linear: Vec3; kinetic: number }> {
  let [linear, kinetic]: [Vec3, number] = [[0, 0, 0], 0];
  for (const body of bodies) {
    const { velocities } = await body.readState();
    linear = add(linear, linearMomentum(velocities, body.model.masses));
    kinetic += kineticEnergy(velocities, body.model.masses);
  }
  return { linear, kinetic };
}

const backend = (process.env.B ?? "cpu") as "cpu";
async function meet(seed: number, kinds: readonly ("sheet" | "solid")[], speed: number, gap: number, frames: number) {
  const random = new RandomGeometry(seed);
  const world = await createWorld(backend, { gravity: [0, 0, 0] });
  let told = 0;
  world.onStepsRepeated.add((n) => (told += n));
  const [lower, upper] = kinds.map((kind) => world.addBody(drawBody(random, kind), { airDensity: 0 }));
  const below = placed(random, lower.model, 0);
  const above = placed(random, upper.model, 0);
  const lift = gap - lowest(below, -1) - lowest(above, 1);
  for (let i = 1; i < above.length; i += 3) above[i] += lift;
  lower.writeState({ positions: below, velocities: below.map(() => 0) });
  upper.writeState({ positions: above, velocities: above.map((_, i) => (i % 3 === 1 ? -speed : 0)) });
  const start = await motionOf(world.bodies);
  let most = 0;
  for (let frame = 0; frame < frames; frame++) {
    world.step(1 / 60);
    most = Math.max(most, (await motionOf(world.bodies)).kinetic / start.kinetic);
  }
  const end = await motionOf(world.bodies);
  world.dispose();
  if (process.env.B) console.log("PAIR", backend, seed, kinds.join(), speed, "most", most.toFixed(4), "lost", (distance(end.linear, start.linear) / norm(start.linear)).toExponential(1), "told", told);
  return { most, lost: distance(end.linear, start.linear) / norm(start.linear) };
}


it("pairs", { timeout: 2000000 }, async () => {
  for (const seed of JSON.parse(process.env.SEEDS!) as number[])
    for (const speed of [4, 16]) {
      const t = performance.now();
      await meet(seed, (process.env.KINDS ?? "solid,solid").split(",") as never, speed, 0.005, 5);
      console.log("ms", (performance.now() - t).toFixed(0));
    }
});
