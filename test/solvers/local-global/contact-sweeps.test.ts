import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, World } from "../../../src/index";
import { Hold, solveContact } from "../../../src/solvers/local-global/contact/one-contact";
import { ContactSolver } from "../../../src/solvers/local-global/contact/contact-solver";
import { ContactSweeps } from "../../../src/solvers/local-global/contact/contact-sweeps";
import { random } from "../../../samples/rigid";
import { lastProblem } from "./contact-problem";

const MU = 0.4;

describe("a contact by itself", () => {
  it("keeps the laws of Signorini and Coulomb, whatever moves it", () => {
    const next = random(3);
    const seen = new Set<Hold>();
    for (let k = 0; k < 300; k++) {
      const b = Float64Array.from({ length: 9 }, () => 0.4 * (next() - 0.5));
      const a = new Float64Array(9);
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) {
          a[3 * i + j] = i === j ? 1 : 0;
          for (let m = 0; m < 3; m++) a[3 * i + j] += b[3 * i + m] * b[3 * j + m];
        }
      const q = Float64Array.from({ length: 3 }, () => next() - 0.6);
      const f = new Float64Array(3);
      const hold = solveContact(a, 0, q, MU, f);
      seen.add(hold);
      const [gap, x, y] = [0, 1, 2].map((i) => q[i] + a[3 * i] * f[0] + a[3 * i + 1] * f[1] + a[3 * i + 2] * f[2]);
      const [force, slip] = [Math.hypot(f[1], f[2]), Math.hypot(x, y)];
      expect(Math.abs(Math.min(gap, f[0]))).toBeLessThan(1e-6);
      expect(force).toBeLessThan(MU * f[0] + 1e-9);
      if (hold === Hold.sticks) expect(slip).toBeLessThan(1e-9);
      // friction is against the slip
      if (hold === Hold.slides) expect(f[1] * x + f[2] * y + force * slip).toBeLessThan(1e-5);
    }
    expect(seen.size).toBe(3);
  });
});

/** A soft cube on the ground, and one on it that lies across, after some frames of their fall. */
async function heap() {
  const world = await World.create({ backend: "cpu", gravity: [1, -9.81, 0] });
  world.addCollider({ type: "box", halfExtents: [2, 1, 2], center: [0, -1, 0] }, { friction: MU });
  const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 } as const;
  for (const [x, y] of [
    [0, 0.101],
    [0.03, 0.303],
  ] as const) {
    const mesh = boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [2, 2, 2], center: [x, y, 0.02] });
    world.addBody(solidModel({ solver: "local-global", ...mesh, material }), { friction: MU });
  }
  for (let frame = 0; frame < 6; frame++) world.step(1 / 60);
  return lastProblem(world);
}

it("sweeps find the forces of a heap from nothing, and know the motion that they make", async () => {
  const { contacts, delassus, free } = await heap();
  const solver = new ContactSolver();
  contacts.z.fill(0);
  const start = solver.judge(contacts, delassus, free);
  const sweeps = new ContactSweeps();
  const made = sweeps.run(contacts, delassus, free, 60, 1e-9, false);
  expect(solver.judge(contacts, delassus, free)).toBeLessThan(1e-3 * start);
  expect(made).toBeGreaterThan(3);
  const expected = new Float64Array(delassus.size);
  delassus.multiply(contacts.z, expected);
  delassus.beginSweeps();
  const [push, own] = [new Float64Array(3), new Float64Array(3)];
  const { frame, z, count } = contacts;
  for (let n = 0; n < count; n++) {
    for (let c = 0; c < 3; c++) {
      push[c] = 0;
      for (let r = 0; r < 3; r++) push[c] += frame[9 * n + 3 * r + c] * z[3 * n + r];
    }
    delassus.moveByContact(n, push);
  }
  for (let n = 0; n < count; n++) {
    delassus.readContact(n, own);
    for (let r = 0; r < 3; r++) expect(Math.abs(own[r] - expected[3 * n + r])).toBeLessThan(1e-12);
  }
});
