import { expect, it } from "vitest";
import { RigidProxy } from "../../../../src/collision/obstacles/rigid-proxy";
import { JointedIsland } from "../../../../src/world/rigid/soft/jointed-island";
import { RigidWorld } from "../../../../src/world/rigid/rigid-world";

/** Two bodies of 2 and 3 kg that a joint holds at one height; the second one stands on something. */
function pairOnGround(): JointedIsland {
  const proxies = [2, 3].map((mass, k) => {
    const proxy = new RigidProxy();
    const at = { centre: [k, 0, 0], velocity: [0, 0, 0] } as const;
    const support = k === 1 ? ([0, -1, 0] as const) : undefined;
    proxy.setResponse({ inverseMass: 1 / mass, inverseInertia: new Float64Array(6), support, ...at });
    return proxy;
  });
  const jacobian = Float64Array.of(0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0);
  return new JointedIsland(proxies, [{ seats: [0, 1], jacobian }]);
}

it.each([
  [10, 2],
  [-10, 0],
])("a support bears a pair and does not hold it down: an impulse of %f gives it %f m/s", (impulse, speed) => {
  const island = pairOnGround();
  // both factors are used, and used again
  for (let n = 0; n < 2; n++) {
    island.impulses.fill(0)[1] = impulse;
    island.respond();
    expect(island.changes[1]).toBeCloseTo(speed, 9);
    expect(island.changes[7]).toBeCloseTo(speed, 9);
    expect(island.impulses[1] + island.impulses[7]).toBeCloseTo(impulse, 9);
  }
});

it.each([0.01, 1, 100])("no push displaces the center of a body into what does not move (size %f)", async (size) => {
  const world = new RigidWorld();
  await world.load();
  world.addBody({
    motion: "static",
    shape: { type: "box", halfExtents: [99 * size, size, 99 * size] },
    position: [0, -size, 0],
  });
  const ball = world.addBody({ shape: { type: "sphere", radius: size }, position: [0, 3 * size, 0] });
  world.step(1e-6);
  const way = Float64Array.of(8 * size, -40 * size, 0);
  expect(world.shortenWay(ball, way)).toBe(true);
  // a quarter of its extent is left between the center and the ground
  expect(way[0] / size).toBeCloseTo(8, 9);
  expect(way[1] / size).toBeCloseTo(-2.5, 5);
  const up = Float64Array.of(8 * size, 40 * size, 0);
  expect(world.shortenWay(ball, up)).toBe(false);
  expect([...up]).toEqual([8 * size, 40 * size, 0]);
});
