import { describe, expect, it } from "vitest";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";
import type { RigidJoint } from "../../../src/world/rigid/rigid-joint";
import { spinMomentum } from "../../../samples/rigid";
import { floorWorld, momenta, run, spinEnergy } from "./worlds";

const G = 9.81;

describe("free motion", () => {
  it("falls along the parabola", () => {
    const world = new RigidWorld({ gravity: [0, -G, 0] });
    const body = world.addBody({ mass: 3, linearVelocity: [2, 5, -1], position: [1, 2, 3] });
    run(world, 2);
    [1 + 4, 2 + 10 - 2 * G, 3 - 2].forEach((value, i) => expect(body.position[i]).toBeCloseTo(value, 9));
    expect(body.linearVelocity[1]).toBeCloseTo(5 - 2 * G, 9);
  });

  it("tumbles about the middle axis with its angular momentum kept and its energy bounded", () => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const body = world.addBody({ mass: 1, inertia: [1, 2, 3], angularVelocity: [0.01, 5, 0.01] });
    const start = spinMomentum(body);
    const energy = spinEnergy(body);
    let turned = 0;
    run(world, 10, 1 / 60, () => {
      turned = Math.min(turned, body.angularVelocity[1]);
      expect(Math.abs(spinEnergy(body) / energy - 1)).toBeLessThan(1e-6);
      const change = Math.hypot(...spinMomentum(body).map((value, i) => value - start[i]));
      expect(change / Math.hypot(...start)).toBeLessThan(1e-9);
    });
    // The tennis racket flips in the frame of the body.
    const [x, y, z, w] = body.rotation;
    expect(Math.abs(1 - 2 * (x * x + z * z)) + Math.abs(w) + Math.abs(y)).toBeGreaterThan(0);
  });
});

describe("free rotation", () => {
  it.each([1, 10, 60, 100])("keeps energy and angular momentum for ten seconds at %i rad/s and 60 Hz", (speed) => {
    for (const thickness of [0.05, 0.3, 0.6]) {
      const world = new RigidWorld({ gravity: [0, 0, 0], sleeping: false });
      const body = world.addBody({
        shape: { type: "box", halfExtents: [0.2, 0.4, thickness] },
        linearDamping: 0,
        angularDamping: 0,
        angularVelocity: [0.6 * speed, 0.75 * speed, 0.28 * speed],
      });
      const energy = (): number => spinMomentum(body).reduce((sum, l, i) => sum + 0.5 * l * body.angularVelocity[i], 0);
      const [before, momentum] = [energy(), spinMomentum(body)];
      let worst = 0;
      run(world, 10, 1 / 60, () => (worst = Math.max(worst, Math.abs(energy() / before - 1))));
      expect(worst).toBeLessThan(1e-4);
      const change = spinMomentum(body).map((l, i) => l - momentum[i]);
      expect(Math.hypot(...change) / Math.hypot(...momentum)).toBeLessThan(1e-6);
    }
  });

  it.each([0.1, 0.01, 1e-3, 1e-4, 1e-5])("keeps them where one moment of inertia is %d of the others", (ratio) => {
    for (const speed of [3, 20, 90])
      for (const way of [
        [0, 1e-9, 1],
        [1e-3, 0, 1],
        [0.3, 0.5, 0.8],
        [1, 1e-6, 1e-3],
      ]) {
        const world = new RigidWorld({ gravity: [0, 0, 0], sleeping: false });
        const body = world.addBody({
          mass: 1,
          inertia: [ratio, 1, 1 + 0.9 * ratio],
          angularDamping: 0,
          angularVelocity: [speed * way[0], speed * way[1], speed * way[2]],
        });
        const energy = (): number =>
          spinMomentum(body).reduce((sum, l, i) => sum + 0.5 * l * body.angularVelocity[i], 0);
        const [before, momentum] = [energy(), spinMomentum(body)];
        let worst = 0;
        run(world, 2, 1 / 60, () => (worst = Math.max(worst, Math.abs(energy() / before - 1))));
        expect(worst).toBeLessThan(1e-3);
        const change = spinMomentum(body).map((l, i) => l - momentum[i]);
        // Of thinner ones that spin fast the energy alone is kept.
        if (ratio >= 1e-4) expect(Math.hypot(...change) / Math.hypot(...momentum)).toBeLessThan(1e-6);
      }
  });

  it("is taken in parts where a bar that spins hits two plates, and turns no further than these", () => {
    for (const speed of [10, 20, 40])
      for (let phase = 0; phase < 1.4; phase += 0.2) {
        const world = new RigidWorld({ gravity: [0, 0, 0] });
        const body = world.addBody({
          shape: { type: "box", halfExtents: [1, 0.03, 0.03] },
          mass: 1,
          rotation: [0, 0, Math.sin(phase / 2), Math.cos(phase / 2)],
          angularVelocity: [0, 0, speed],
        });
        const shape = { type: "box", halfExtents: [0.02, 0.4, 1] } as const;
        for (const y of [-0.8, 0.8]) world.addBody({ motion: "static", shape, position: [0, y, 0] });
        const before = spinEnergy(body);
        run(world, 0.4, 1 / 60, () => {
          expect(spinEnergy(body)).toBeLessThan(1.001 * before);
          expect(2 * Math.atan2(body.rotation[2], body.rotation[3])).toBeLessThan(0.5 * Math.PI);
        });
      }
  });
});

describe("joints in motion", () => {
  it("swings with the period of a physical pendulum", () => {
    const world = new RigidWorld({ gravity: [0, -G, 0], substeps: 2 });
    const hook = world.addBody({ motion: "static" });
    const angle = 0.05;
    const bob = world.addBody({ mass: 2, inertia: [0.4, 0.4, 0.4], position: [Math.sin(angle), -Math.cos(angle), 0] });
    world.addJoint({ type: "ball", bodyA: hook, bodyB: bob, pivotB: [-Math.sin(angle), Math.cos(angle), 0] });
    const crossings: number[] = [];
    let last = bob.position[0];
    let time = 0;
    let lowest = -Infinity;
    run(world, 20, 1 / 60, () => {
      time += 1 / 60;
      const [x, y] = bob.position;
      if (x * last < 0) crossings.push(time - x / (x - last) / 60);
      last = x;
      lowest = Math.max(lowest, Math.abs(Math.hypot(x, y) - 1));
    });
    const period = (2 * (crossings.at(-1) - crossings[0])) / (crossings.length - 1);
    // (I + m l²)/(m g l), with the first term of the series in the amplitude
    const expected = 2 * Math.PI * Math.sqrt((0.4 + 2) / (2 * G)) * (1 + angle ** 2 / 16);
    expect(period / expected).toBeCloseTo(1, 3);
    expect(lowest).toBeLessThan(1e-8);
  });

  it("lets a top precess steadily at the rate of the exact solution", () => {
    const [m, l, across, along, spin, tilt] = [1, 0.1, 0.002, 0.001, 400, 0.3];
    const world = new RigidWorld({ gravity: [0, -G, 0], substeps: 8 });
    const about = across + m * l * l;
    // about cos θ Ω² − I₃ ω₃ Ω + m g l = 0, the slow root
    const [a, b, c] = [about * Math.cos(tilt), -along * spin, m * G * l];
    const rate = (-b - Math.sqrt(b * b - 4 * a * c)) / (2 * a);
    const axis = [Math.sin(tilt), Math.cos(tilt), 0];
    const own = spin - rate * Math.cos(tilt);
    const omega: [number, number, number] = [own * axis[0], rate + own * axis[1], 0];
    const tip = world.addBody({ motion: "static" });
    const top = world.addBody({
      mass: m,
      inertia: [across, along, across],
      position: [axis[0] * l, axis[1] * l, 0],
      rotation: [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)],
      angularVelocity: omega,
      linearVelocity: [0, 0, -(omega[1] * axis[0] - omega[0] * axis[1]) * l],
      maxAngularSpeed: 1000,
    });
    world.addJoint({ type: "ball", bodyA: tip, bodyB: top, pivotB: [0, -l, 0] });
    let turned = 0;
    let last = 0;
    run(world, 2, 1 / 60, () => {
      const [x, y, z] = top.position;
      const azimuth = Math.atan2(-z, x);
      turned += azimuth - last - 2 * Math.PI * Math.round((azimuth - last) / (2 * Math.PI));
      last = azimuth;
      expect(Math.abs(Math.acos(y / l) - tilt)).toBeLessThan(0.01);
    });
    expect(turned / 2 / rate).toBeCloseTo(1, 2);
  });

  it("lets a top that is let go nod as the exact solution does", () => {
    const [m, l, across, along, spin, tilt] = [1, 0.1, 0.002, 0.001, 300, 0.6];
    const world = new RigidWorld({ gravity: [0, -G, 0], substeps: 8 });
    const axis = [Math.sin(tilt), Math.cos(tilt), 0];
    const tip = world.addBody({ motion: "static" });
    const top = world.addBody({
      mass: m,
      inertia: [across, along, across],
      position: [axis[0] * l, axis[1] * l, 0],
      rotation: [0, 0, -Math.sin(tilt / 2), Math.cos(tilt / 2)],
      angularVelocity: [spin * axis[0], spin * axis[1], 0],
      maxAngularSpeed: 1000,
    });
    world.addJoint({ type: "ball", bodyA: tip, bodyB: top, pivotB: [0, -l, 0] });
    // Lagrange's top: I θ̈ = I φ̇² sin θ cos θ − L₃ φ̇ sin θ + m g l sin θ with I φ̇ sin² θ = L₃ (cos θ₀ − cos θ)
    const about = across + m * l * l;
    const momentum = along * spin;
    const bend = (theta: number): number => {
      const [s, c] = [Math.sin(theta), Math.cos(theta)];
      const turn = (momentum * (Math.cos(tilt) - c)) / (about * s * s);
      return turn * turn * s * c - (momentum * turn * s) / about + (m * G * l * s) / about;
    };
    let [theta, rate] = [tilt, 0];
    let [least, most, worst] = [Infinity, -Infinity, 0];
    run(world, 1, 1 / 60, () => {
      const h = 1 / 6000;
      for (let k = 0; k < 100; k++) {
        // leapfrog
        rate += 0.5 * h * bend(theta);
        theta += h * rate;
        rate += 0.5 * h * bend(theta);
      }
      least = Math.min(least, theta);
      most = Math.max(most, theta);
      worst = Math.max(worst, Math.abs(Math.acos(top.position[1] / l) - theta));
    });
    expect(most - least).toBeGreaterThan(0.1);
    expect(worst).toBeLessThan(0.06 * (most - least));
  });

  it("holds a chain of light links under a load a thousand times as heavy", () => {
    const world = new RigidWorld();
    let previous = world.addBody({ motion: "static" });
    const joints: RigidJoint[] = [];
    for (let k = 0; k < 10; k++) {
      const mass = k === 9 ? 1000 : 1;
      const link = world.addBody({
        mass,
        inertia: [mass / 1200, mass / 1200, mass / 1200],
        position: [0.1 * k + 0.05, 0, 0],
      });
      const pivotA: [number, number, number] = [k === 0 ? 0 : 0.05, 0, 0];
      joints.push(world.addJoint({ type: "ball", bodyA: previous, bodyB: link, pivotA, pivotB: [-0.05, 0, 0] }));
      previous = link;
    }
    run(world, 5, 1 / 60, () => {
      for (const joint of joints)
        for (const axis of ["linearX", "linearY", "linearZ"] as const)
          expect(Math.abs(joint.position(axis))).toBeLessThan(1e-6);
    });
    expect(Math.hypot(...previous.position)).toBeLessThan(1);
  });
});

describe("contact", () => {
  it.each([0.9, 0.7, 0.5])("bounces back to e² of the height for e = %d", (restitution) => {
    const world = floorWorld({}, { restitution });
    const ball = world.addBody({
      shape: { type: "sphere", radius: 0.1 },
      restitution,
      position: [0, 1.1, 0],
      canSleep: false,
    });
    let height = 0;
    let isRising = false;
    run(world, 1.2, 1 / 60, () => {
      if (ball.linearVelocity[1] > 0) isRising = true;
      if (isRising) height = Math.max(height, ball.position[1] - 0.1);
    });
    // The highest frame may be half a frame from the highest point.
    expect(height / restitution ** 2).toBeGreaterThan(0.99);
    expect(height / restitution ** 2).toBeLessThan(1.001);
  });

  it("rolls down a slope without slipping at 5/7 g sin", () => {
    const angle = 0.2;
    const world = new RigidWorld({ gravity: [G * Math.sin(angle), -G * Math.cos(angle), 0] });
    world.addBody({ motion: "static", shape: { type: "box", halfExtents: [50, 1, 5] }, position: [0, -1, 0] });
    const ball = world.addBody({ shape: { type: "sphere", radius: 0.25 }, position: [0, 0.25, 0] });
    run(world, 2);
    const expected = (5 / 7) * G * Math.sin(angle) * 2;
    expect(ball.linearVelocity[0] / expected).toBeCloseTo(1, 3);
    expect(-ball.angularVelocity[2] * 0.25).toBeCloseTo(ball.linearVelocity[0], 6);
  });

  it("keeps both momenta when boxes collide in flight", () => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    const shape = { type: "box", halfExtents: [0.5, 0.3, 0.2] } as const;
    const options = { shape, friction: 0.6, restitution: 0.4, canSleep: false };
    const bodies = [
      world.addBody({ ...options, mass: 2, position: [-1, 0.1, 0], linearVelocity: [3, 0, 0.2] }),
      world.addBody({ ...options, mass: 5, position: [1, 0, 0.05], angularVelocity: [0, 1, 2] }),
      world.addBody({ ...options, mass: 1, position: [0.9, 0.9, 0], linearVelocity: [0, -2, 0] }),
    ];
    const before = momenta(bodies);
    let touched = 0;
    run(world, 2, 1 / 60, () => (touched += world.pairs.count));
    const after = momenta(bodies);
    expect(touched).toBeGreaterThan(3);
    for (let i = 0; i < 3; i++) {
      expect(Math.abs(after.linear[i] - before.linear[i]) / Math.hypot(...before.linear)).toBeLessThan(1e-9);
      expect(Math.abs(after.angular[i] - before.angular[i]) / Math.hypot(...before.angular)).toBeLessThan(1e-6);
    }
  });

  it("does not let a small fast ball through a thin wall", () => {
    const world = new RigidWorld({ gravity: [0, 0, 0] });
    world.addBody({ motion: "static", shape: { type: "box", halfExtents: [0.005, 1, 1] } });
    const ball = world.addBody({
      shape: { type: "sphere", radius: 0.025 },
      position: [-3.1, 0, 0],
      linearVelocity: [100, 0, 0],
    });
    run(world, 0.5);
    expect(ball.position[0]).toBeLessThan(-0.029);
  });
});
