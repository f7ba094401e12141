import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ColliderEntry, ColliderSet } from "../../../src/collision/obstacles/collider-set";
import type { ContactMaterial } from "../../../src/collision/contact/contact-material";
import { resolveParticleContact } from "../../../src/collision/contact/particle-contact";
import type { Vec3 } from "../../../src/math/types";
import { rotationAround } from "../random";

const MATERIAL: ContactMaterial = { thickness: 0.005, friction: 0.6 };

/** One particle with its contact record. */
class Particle {
  readonly x: Float64Array;
  readonly start: Float64Array;
  readonly contact = new Float64Array(4);

  constructor(start: readonly number[], end: readonly number[] = start) {
    this.start = Float64Array.from(start);
    this.x = Float64Array.from(end);
  }

  resolve(set: ColliderSet, material = MATERIAL, f0 = 0, f1 = 1): boolean {
    return resolveParticleContact(set, 0, this.x, this.start, this.contact, material, Float64Array.of(f0, f1), [1]);
  }
}

function floor(friction: number): { set: ColliderSet; id: ColliderEntry } {
  const set = new ColliderSet();
  const id = set.add({ type: "box", halfExtents: [50, 1, 50], center: [0, -1, 0] }, { friction });
  set.update();
  return { set, id };
}

describe("resolveParticleContact", () => {
  it("keeps friction in Coulomb's cone, and never pushes further than to a standstill", () => {
    const value = fc.double({ min: -0.02, max: 0.02, noNaN: true });
    const coefficient = fc.double({ min: 0, max: 2, noNaN: true });
    fc.assert(
      fc.property(value, value, value, coefficient, coefficient, (dx, dy, dz, own, other) => {
        const { set } = floor(other);
        const particle = new Particle([0, 0.006, 0], [dx, 0.006 + dy, dz]);
        const isTouching = particle.resolve(set, { thickness: 0.005, friction: own });
        const [fx, push, fz, normal] = particle.contact;
        expect(push).toBeCloseTo(normal, 12);
        expect(Math.hypot(fx, fz)).toBeLessThanOrEqual(Math.sqrt(own * other) * normal * (1 + 1e-9) + 1e-15);
        // Friction works against the sliding, along it.
        expect(fx * dz).toBeCloseTo(fz * dx, 12);
        expect(fx * dx + fz * dz).toBeLessThanOrEqual(0);
        expect(Math.hypot(fx, fz)).toBeLessThanOrEqual(Math.hypot(dx, dz) + 1e-12);
        expect(isTouching).toBe(dy < -0.001 + 0.05 * 0.005);
        particle.contact.subarray(0, 3).forEach((f, i) => {
          expect(particle.x[i]).toBeCloseTo([dx, 0.006 + dy, dz][i] + f, 12);
        });
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("keeps within the cone of the whole substep when it is called again and again", () => {
    const { set } = floor(0.6);
    const particle = new Particle([0, 0.005, 0], [0.01, 0.004, 0]);
    for (let iteration = 0; iteration < 10; iteration++) {
      particle.resolve(set);
      const [fx, , , normal] = particle.contact;
      expect(-fx).toBeCloseTo(Math.min(0.6 * normal, 0.01 + 0.002 * iteration), 12);
      // Another force, for example a spring, drags further and presses down.
      particle.x[0] += 0.002;
      particle.x[1] -= 0.0005;
    }
  });

  it("gives friction back that is no longer needed", () => {
    const { set } = floor(0.6);
    const particle = new Particle([0, 0.005, 0], [0.001, 0, 0]);
    particle.resolve(set);
    expect(particle.contact[0]).toBeCloseTo(-0.001, 12);
    // A spring pulls it back: friction that resisted the first pull now only has to resist the sum.
    particle.x[0] -= 0.0015;
    particle.resolve(set);
    expect(particle.x[0]).toBeCloseTo(0, 12);
    expect(particle.contact[0]).toBeCloseTo(0.0005, 12);
  });

  it("carries a particle along with a moving surface, as far as friction reaches", () => {
    const { set, id } = floor(0.6);
    set.endFrame();
    set.setPose(id, [0.01, 0, 0]);
    set.update();
    const pressed = new Particle([0, 0.005, 0], [0, -0.015, 0]);
    pressed.resolve(set);
    expect(pressed.x[0]).toBeCloseTo(0.01, 12);
    const light = new Particle([0, 0.005, 0], [0, 0.004, 0]);
    light.resolve(set);
    expect(light.x[0]).toBeCloseTo(0.6 * 0.001, 12);
    // Half the frame, half the distance.
    const half = new Particle([0, 0.005, 0], [0, -0.015, 0]);
    half.resolve(set, MATERIAL, 0.5, 1);
    expect(half.x[0]).toBeCloseTo(0.005, 12);
  });

  it.each([5, 15, 25, 29, 29.9, 30.1, 31, 40])(
    "holds on an incline of %d° with friction tan 30°, or slides as Coulomb says",
    (degrees) => {
      const angle = (degrees * Math.PI) / 180;
      const mu = Math.tan(Math.PI / 6);
      const set = new ColliderSet();
      const rotation = rotationAround([0, 0, 1], angle);
      set.add({ type: "box", halfExtents: [100, 1, 100], center: [0, -1, 0] }, { rotation, friction: mu });
      set.update();
      const normal = [-Math.sin(angle), Math.cos(angle)];
      const h = 1 / 600;
      const particle = new Particle([0.005 * normal[0], 0.005 * normal[1], 0]);
      const velocity = [0, 0, 0];
      for (let step = 0; step < 600; step++) {
        particle.start.set(particle.x);
        particle.contact.fill(0);
        velocity[1] -= 9.81 * h;
        for (let i = 0; i < 3; i++) particle.x[i] += h * velocity[i];
        particle.resolve(set, { thickness: 0.005, friction: mu });
        for (let i = 0; i < 3; i++) velocity[i] = (particle.x[i] - particle.start[i]) / h;
      }
      const down = -(velocity[0] * Math.cos(angle) + velocity[1] * Math.sin(angle));
      const expected = Math.max(0, 9.81 * (Math.sin(angle) - mu * Math.cos(angle)));
      expect(down).toBeCloseTo(expected, 9);
      expect(velocity[0] * normal[0] + velocity[1] * normal[1]).toBeCloseTo(0, 9);
    },
  );

  it("finds the way out of a corner of two obstacles", () => {
    const set = new ColliderSet();
    set.add({ type: "box", halfExtents: [1, 1, 1], center: [0, -1, 0] }, { friction: 0 });
    // It leans back: its right side is at x = 0.3 - 0.3 y, so that pushing out of it pushes up slightly.
    const lean = rotationAround([0, 0, 1], Math.atan(0.3));
    set.add(
      { type: "box", halfExtents: [1, 3, 3] },
      { position: [0.3 - Math.hypot(1, 0.3), 0, 0], rotation: lean, friction: 0 },
    );
    set.update();
    const particle = new Particle([0.4, 0.1, 0], [0.2, -0.1, 0]);
    particle.resolve(set);
    // After one call it is out of both.
    expect(particle.x[1]).toBeGreaterThan(0.005 - 1e-6);
    expect((particle.x[0] - 0.3 + 0.3 * particle.x[1]) / Math.hypot(1, 0.3)).toBeGreaterThan(0.005 - 1e-6);
    const rest = new Particle(Array.from(particle.x));
    rest.resolve(set);
    for (let i = 0; i < 3; i++) expect(rest.x[i]).toBeCloseTo(particle.x[i], 6);
  });

  it("stops a fast particle at the first of several plates", () => {
    const set = new ColliderSet();
    for (const y of [-0.05, 0, -0.1]) set.add({ type: "box", halfExtents: [1, 0.005, 1], center: [0, y, 0] });
    set.update();
    const particle = new Particle([0, 0.02, 0], [0, 0.02 - 0.2, 0]);
    particle.resolve(set);
    expect(particle.x[1]).toBeCloseTo(0.01, 9);
  });

  it("leaves a particle alone that touches nothing", () => {
    const { set } = floor(0.5);
    const end: Vec3 = [0.1, 0.3, 0.2];
    const particle = new Particle([0, 0.2, 0], end);
    expect(particle.resolve(set)).toBe(false);
    expect(Array.from(particle.x)).toEqual(end);
    expect(Array.from(particle.contact)).toEqual([0, 0, 0, 0]);
    expect(new Particle([0, -5, 0]).resolve(new ColliderSet())).toBe(false);
  });
});
