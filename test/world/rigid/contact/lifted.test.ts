import { expect, it } from "vitest";
import { RigidProxy, YIELD } from "../../../../src/collision/obstacles/rigid-proxy";
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

/** Deterministic numbers in [-1, 1]. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** Two bodies of random mass and shape that a ball joint holds; either may stand on something, held by other bodies in part. */
function randomPair(next: () => number, size: number): JointedIsland {
  const proxies = [0, 1].map((k) => {
    const proxy = new RigidProxy();
    const inverseMass = 10 ** (3 * next());
    const inverseInertia = [0, 1, 2].map(() => (inverseMass * (1 + 0.5 * next())) / size ** 2).concat([0, 0, 0]);
    const mobility = Math.max(0, next());
    const turning = mobility * Math.max(0, next());
    proxy.setResponse({
      inverseMass: mobility * inverseMass,
      inverseInertia: inverseInertia.map((value) => turning * value),
      ...{ mobility, turning, free: [inverseMass, ...inverseInertia] },
      ...(next() > -0.5 && { support: [0, -1, 0] as const }),
      ...{ centre: [k * size, 0, 0] as const, velocity: [0, 0, 0] as const },
    });
    return proxy;
  });
  // (v + w x r)_c of the first one less that of the second one, at half a size from both
  const rows = [0, 1, 2].map((c) => {
    const jacobian = new Float64Array(12);
    for (const side of [0, 1]) {
      const [sign, arm] = [1 - 2 * side, [(0.5 - side) * size, 0.1 * size * (1 - 2 * side), 0]];
      jacobian[6 * side + c] = sign;
      jacobian[6 * side + 3 + ((c + 1) % 3)] = sign * arm[(c + 2) % 3];
      jacobian[6 * side + 3 + ((c + 2) % 3)] = -sign * arm[(c + 1) % 3];
    }
    return { seats: [0, 1] as const, jacobian };
  });
  return new JointedIsland(proxies, rows);
}

it.each([0.01, 1, 100])("a pair of size %f yields by what it answered, once what is lifted is let go", (size) => {
  const next = numbers(7);
  let released = 0;
  for (let trial = 0; trial < 200; trial++) {
    const island = randomPair(next, size);
    const { proxies } = island;
    const given = Float64Array.from({ length: 12 }, (_, i) => next() * (i % 6 < 3 ? 1 : size));
    for (let isAny = true; isAny;) {
      isAny = false;
      const loads = given.slice();
      island.addPulls(loads);
      for (const [k, proxy] of proxies.entries()) {
        if (!(proxy.support[1] * loads[6 * k + 1] < 0)) continue;
        proxy.support.fill(0);
        proxy.release();
        isAny = true;
        released++;
      }
    }
    const answered = new Float64Array(12);
    proxies.forEach((_, k) => island.answer(k, given.slice(6 * k, 6 * k + 6), answered));
    island.impulses.set(given);
    island.respond();
    const scale = Math.max(...answered.map(Math.abs), 1e-9);
    for (let i = 0; i < 12; i++) expect(Math.abs(island.changes[i] - answered[i]) / scale).toBeLessThan(1e-6);
  }
  expect(released).toBeGreaterThan(50);
});

it("a body that is released answers as a free one, for the frame, and its memory knows that", () => {
  const [proxy, other] = [new RigidProxy(), new RigidProxy()];
  const response = {
    inverseMass: 0,
    inverseInertia: [0, 0, 0, 0, 0, 0],
    centre: [0, 0, 0],
    velocity: [0, 0, 0],
  } as const;
  proxy.setResponse({ ...response, mobility: 0, turning: 0, free: [2, 3, 4, 5, 0.1, 0.2, 0.3] });
  proxy.release();
  other.load(proxy.save());
  for (const { inverseMass, inverseInertia, mobility, turning, isReleased } of [proxy, other]) {
    expect([inverseMass, ...inverseInertia, mobility, turning]).toEqual([2, 3, 4, 5, 0.1, 0.2, 0.3, 1, 1]);
    expect(isReleased).toBe(true);
  }
  proxy.setResponse(response);
  proxy.release();
  expect([proxy.inverseMass, proxy.isReleased]).toEqual([0, false]);
});

it.each([0.1, 1, 30])("contacts that turn a pair by %f rad in a frame do not open its joint", (turn) => {
  const [arm, h] = [0.5, 0.01];
  const island = randomPair(numbers(3), 2 * arm);
  const { proxies } = island;
  // the joint is at half of the way between both; the second body turns about it
  proxies[0].yielded[YIELD.turn + 2] = 0;
  proxies[1].yielded.set([0, turn / h, 0, 0, 0, turn / h, 0, turn * arm, 0, 0, 0, turn]);
  const before = proxies[1].yielded.slice();
  island.settle();
  const { yielded } = proxies[1];
  expect(yielded.slice(0, YIELD.offset)).toEqual(before.slice(0, YIELD.offset));
  const angle = yielded[YIELD.turn + 2];
  const gap = Math.hypot(
    yielded[YIELD.offset] - arm * Math.cos(angle) + arm,
    yielded[YIELD.offset + 1] - arm * Math.sin(angle),
  );
  expect(gap).toBeLessThan(0.1 * arm);
  expect(angle).toBeCloseTo(Math.min(turn, 0.4), 9);
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
