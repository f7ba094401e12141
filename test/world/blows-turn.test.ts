import { beforeAll, describe, expect, it } from "vitest";
import { angularMomentum, centerOfMass, kineticEnergy, linearMomentum } from "../../samples/metrics";
import { rigidMotion } from "../../samples/pair/motion";
import { boxTetrahedra, solidModel } from "../../src/index";
import { mulberry } from "../../samples/random";
import { add } from "../../src/math/matrix3";
import { cross, distance } from "../../src/math/vectors";
import type { Vec3 } from "../../src/math/types";
import { spinPart } from "../../src/solvers/gpbd/gpu/parts";
import { allBackends, inWorld } from "./worlds";

beforeAll(() => spinPart.load());

describe.each(allBackends)("a rigid body that strikes a solid of gpbd in free space, on %s", (backend) => {
  it.each([1, 2, 3, 4, 5, 6])(
    "keeps momentum and angular momentum with it, and gains no energy: seed %d",
    async (seed) => {
      const next = mulberry(seed);
      const between = (least: number, most: number): number => least + (most - least) * next();
      const anyWay = (size: number): Vec3 => [between(-size, size), between(-size, size), between(-size, size)];
      // A tenth to ten times the size; masses up to thirty times apart; struck off its middle, both of them spinning.
      const size = 0.2 * 10 ** between(-1, 1);
      const speed = between(2, 6) * size;
      const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [3, 2, 3], center: [0, 0, 0] });
      const material = { youngsModulus: 5e5 * size, poissonRatio: 0.3, density: 500 };
      const model = solidModel({ ...mesh, material });
      const mass = model.masses.reduce((sum, m) => sum + m, 0);
      await inWorld(backend, { gravity: [0, 0, 0], rigidLane: "cpu" }, async (world) => {
        const soft = world.addBody(model, { airDensity: 0, friction: 0.5 });
        const radius = between(0.15, 0.3) * size;
        // Of the same inertia about every axis: other bodies lose some of their own angular momentum as a push turns them within a frame.
        const shape =
          seed % 2 === 0
            ? ({ type: "sphere", radius } as const)
            : ({ type: "box", halfExtents: [radius, radius, radius] } as const);
        const rigid = world.addRigidBody({
          shape,
          mass: mass * 30 ** between(-1, 1),
          friction: 0.5,
          position: [between(-0.4, 0.4) * size, 0.3 * size + 1.9 * radius, between(-0.4, 0.4) * size],
          linearVelocity: [between(-0.3, 0.3) * speed, -speed, between(-0.3, 0.3) * speed],
          angularVelocity: anyWay(3),
        });
        await world.settled();
        soft.push({ angularVelocity: anyWay(2) });
        const sums = async () => {
          const { positions, velocities } = await soft.readState();
          const own = linearMomentum(velocities, model.masses);
          const about = cross(centerOfMass(positions, model.masses), own);
          const { linear, angular, kinetic } = rigidMotion(rigid);
          return {
            linear: add(linear, own),
            angular: add(add(angular, about), angularMomentum(positions, velocities, model.masses)),
            kinetic: kinetic + kineticEnergy(velocities, model.masses),
            struck: own,
          };
        };
        const step = async (): Promise<void> => {
          world.step(1 / 60);
          await world.settled();
        };
        // The push acts with the first step.
        await step();
        const before = await sums();
        for (let frame = 0; frame < 30; frame++) await step();
        const after = await sums();
        const scale = Math.min(mass, rigid.mass) * speed;
        const [least, most] = backend === "webgpu" ? [1e-5, 5e-5] : [1e-10, 1e-10];
        expect(distance(after.struck, before.struck) / scale).toBeGreaterThan(0.05);
        expect(distance(after.linear, before.linear) / scale).toBeLessThan(least);
        expect(distance(after.angular, before.angular) / (scale * size)).toBeLessThan(most);
        expect(after.kinetic / before.kinetic).toBeLessThan(1);
      });
    },
  );
});
