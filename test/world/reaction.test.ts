import { describe, expect, it } from "vitest";
import { RigidProxy } from "../../src/collision/obstacles/rigid-proxy";
import type { DeformableBody, World } from "../../src/index";
import { gridCloth, verticesWhere } from "./cloths";
import { spinMomentum } from "../../samples/rigid";
import { allBackends, frameTime, inWorld } from "./worlds";

const gravity = -9.81;

/** Linear and angular momentum (about the origin) of a body. */
async function momentum(body: DeformableBody): Promise<number[]> {
  const { positions: x, velocities: v } = await body.readState();
  const sum = new Array<number>(6).fill(0);
  body.model.masses.forEach((m, p) => {
    const [px, py, pz] = [x[3 * p], x[3 * p + 1], x[3 * p + 2]];
    const [vx, vy, vz] = [m * v[3 * p], m * v[3 * p + 1], m * v[3 * p + 2]];
    [vx, vy, vz, py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx].forEach((value, i) => (sum[i] += value));
  });
  return sum;
}

function taken(world: World, proxy: RigidProxy): Float64Array {
  const wrench = new Float64Array(6);
  world.takeFromProxy(proxy, wrench, new Float64Array(6));
  return wrench;
}

/** A ball that flies freely up and down except for pushes of cloth. */
class Ball {
  velocity = 0;
  lowest = Infinity;
  private readonly proxy = new RigidProxy();
  private readonly collider;
  private readonly wrench = new Float64Array(6);
  private readonly displacement = new Float64Array(6);

  constructor(
    private readonly world: World,
    private readonly mass: number,
    radius: number,
    public height: number,
  ) {
    this.collider = world.addCollider({ type: "sphere", radius }, { position: [0, height, 0], proxy: this.proxy });
  }

  step(dt: number): void {
    this.world.takeFromProxy(this.proxy, this.wrench, this.displacement);
    this.velocity += this.wrench[1] / this.mass + gravity * dt;
    this.height += this.displacement[1];
    this.proxy.setResponse({
      inverseMass: 1 / this.mass,
      inverseInertia: [0, 0, 0, 0, 0, 0],
      centre: [0, this.height, 0],
      velocity: [0, this.velocity, 0],
    });
    this.height += dt * this.velocity;
    this.lowest = Math.min(this.lowest, this.height);
    this.collider.setPose([0, this.height, 0]);
    this.world.step(dt);
  }
}

describe.each(allBackends)("reactions on %s", (backend) => {
  it.each([false, true])("are what the cloth lost, with faces tested: %s", (faceContacts) =>
    inWorld(backend, {}, async (world) => {
      const model = gridCloth({ width: 0.6, height: 0.5, columns: 9, rows: 8, center: [0.03, 0.16, 0.02] });
      const [ballProxy, poleProxy] = [new RigidProxy(), new RigidProxy()];
      const ball = world.addCollider({ type: "sphere", radius: 0.1 }, { proxy: ballProxy });
      // thin: faces meet it between their vertices
      world.addCollider(
        { type: "capsule", pointA: [0.2, -1, 0.13], pointB: [0.2, 0.14, 0.13], radius: 0.01 },
        { proxy: poleProxy },
      );
      const body = world.addBody(model, { faceContacts, airDensity: 0, damping: 0, substeps: 8 });
      let mass = 0;
      for (const m of model.masses) mass += m;
      const given = new Float64Array(6);
      let onPole = 0;
      const frames = 20;
      for (let frame = 0; frame < frames; frame++) {
        ball.setPose([0, 0.002 * frame, 0]);
        world.step(frameTime);
        await world.settled();
        const onBall = taken(world, ballProxy);
        const more = taken(world, poleProxy);
        onPole += Math.hypot(more[0], more[1], more[2]);
        onBall.forEach((value, i) => (given[i] += value + more[i]));
      }
      const now = await momentum(body);
      const weight = mass * gravity * frames * frameTime;
      expect(-given[1]).toBeGreaterThan(0.3 * Math.abs(weight));
      const tolerance = (backend === "reference" ? 1e-10 : 2e-5) * Math.abs(weight);
      expect(Math.abs(now[0] + given[0])).toBeLessThan(tolerance);
      expect(Math.abs(now[1] + given[1] - weight)).toBeLessThan(tolerance);
      expect(Math.abs(now[2] + given[2])).toBeLessThan(tolerance);
      if (faceContacts) expect(onPole).toBeGreaterThan(1e-3 * Math.abs(weight));
    }),
  );

  it("turn what they push, too", () =>
    inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth({ width: 0.4, height: 0.4, columns: 9, rows: 9, center: [0, 0.106, 0] });
      // it rises below a corner
      const proxy = new RigidProxy();
      const ball = world.addCollider({ type: "sphere", radius: 0.1, center: [0.15, 0, 0.1] }, { proxy });
      const body = world.addBody(model, { airDensity: 0, damping: 0, substeps: 16, method: "gauss-seidel" });
      const given = new Float64Array(6);
      for (let frame = 1; frame <= 10; frame++) {
        ball.setPose([0, 0.01 * frame, 0]);
        world.step(frameTime);
        await world.settled();
        taken(world, proxy).forEach((value, i) => (given[i] += value));
      }
      const now = await momentum(body);
      const turn = Math.hypot(now[3], now[4], now[5]);
      expect(turn).toBeGreaterThan(1e-4);
      for (let i = 3; i < 6; i++) expect(Math.abs(now[i] + given[i])).toBeLessThan(0.02 * turn);
    }));

  // A GPU forgot what bodies had yielded, but not what the host had taken over of that: the ball got it with the opposite sign.
  it("are the same if obstacles far away are added meanwhile", async () => {
    const heights = async (adds: boolean): Promise<number[]> =>
      inWorld(backend, { gravity: [0, gravity, 0] }, async (world) => {
        const model = gridCloth({ width: 0.6, height: 0.6, columns: 4, rows: 4 });
        world
          .addBody(model)
          .pin(verticesWhere(model.positions, (x, _, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.29));
        const ball = world.addRigidBody({
          shape: { type: "sphere", radius: 0.1 },
          mass: 0.2,
          position: [0.01, 0.11, 0],
          linearVelocity: [0, -1, 0],
        });
        await world.whenReadyAsync();
        const all: number[] = [];
        for (let frame = 0; frame < 10; frame++) {
          if (adds && frame > 5) world.addCollider({ type: "sphere", radius: 0.1 }, { position: [frame, 5, 0] });
          world.step(frameTime);
          await world.settled();
          all.push(ball.position[1]);
        }
        return all;
      });
    const [alone, beside] = [await heights(false), await heights(true)];
    expect(Math.max(...alone) - alone[9]).toBeGreaterThan(0.02);
    beside.forEach((height, frame) => expect(Math.abs(height - alone[frame])).toBeLessThan(1e-6));
  });

  it.each([1, 3])("turn a ball that goes %f times its size in a frame by where they met it", (reach) =>
    inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const model = gridCloth({ width: 0.4, height: 0.4, columns: 9, rows: 9, center: [0, 0, 0] });
      const cloth = world.addBody(model, { airDensity: 0, damping: 0, substeps: 96, friction: 1 });
      const radius = 0.05;
      const speed = (2 * reach * radius) / frameTime;
      const ball = world.addRigidBody({
        shape: { type: "sphere", radius },
        mass: 0.01,
        friction: 1,
        position: [0.08, radius + 0.02, 0.05],
        linearVelocity: [0.6 * speed, -0.8 * speed, 0],
      });
      await world.whenReadyAsync();
      const whole = async (): Promise<number[]> => {
        const ofBall = spinMomentum(ball);
        const [x, y, z] = ball.centerOfMass;
        const [px, py, pz] = ball.linearVelocity.map((v) => ball.mass * v);
        const orbit = [y * pz - z * py, z * px - x * pz, x * py - y * px];
        return (await momentum(cloth)).slice(3).map((value, c) => value + orbit[c] + ofBall[c]);
      };
      const linear = async (): Promise<number[]> =>
        (await momentum(cloth)).slice(0, 3).map((value, c) => value + ball.mass * ball.linearVelocity[c]);
      const [before, start] = [await whole(), await linear()];
      for (let frame = 0; frame < 8; frame++) {
        world.step(frameTime);
        // Pushes that come from a GPU are in the ball then.
        await world.settled();
        const lost = (await linear()).map((value, c) => value - start[c]);
        expect(Math.hypot(...lost)).toBeLessThan(1e-5 * Math.hypot(...start));
      }
      const after = await whole();
      expect(Math.hypot(...ball.angularVelocity)).toBeGreaterThan(10);
      const off = Math.hypot(...after.map((value, c) => value - before[c])) / Math.hypot(...before);
      // of first order in the substep, by what slips in one
      expect(off).toBeLessThan(0.006 * reach);
    }),
  );

  it.each([0.05, 5])("carry a ball of %f kg that falls on a trampoline, and give it no energy", (mass) =>
    inWorld(backend, {}, async (world) => {
      const model = gridCloth({ width: 1, height: 1, columns: 13, rows: 13 }, { fabric: "rubber-sheet" });
      const edge = verticesWhere(model.positions, (x, _y, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.49);
      world.addBody(model, { pins: edge, substeps: 12, airDensity: 0 });
      const ball = new Ball(world, mass, 0.12, 0.4);
      let [highest, bounced] = [0, false];
      const frames = backend === "cpu" ? 120 : 45;
      for (let frame = 0; frame < frames; frame++) {
        ball.step(frameTime);
        await world.settled();
        if (ball.velocity > 0) bounced = true;
        if (bounced) highest = Math.max(highest, ball.height);
      }
      expect(bounced).toBe(true);
      // it fell 0.28 m; the rubber's damping absorbs the energy of a light ball on a heavy sheet
      expect(highest).toBeLessThan(0.37);
      expect(highest).toBeGreaterThan(mass < 0.1 ? 0.09 : 0.2);
      expect(ball.lowest).toBeGreaterThan(-0.4);
    }),
  );
});
