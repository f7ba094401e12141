import { describe, expect, it } from "vitest";
import type { FrameInput } from "../../../src/solvers/deformable";
import { land } from "../../../src/solvers/gpbd/surfaces/ghost-landing";
import type { Guest } from "../../../src/solvers/guest";
import { cross, subtract } from "../../../src/math/vectors";
import type { Vec3 } from "../../../src/math/types";

const CORNERS = 8;
const masses = Float64Array.from({ length: CORNERS }, (_, p) => 1 + 0.1 * p);
const frame = { dt: 0.01, gravity: [0, 0, 0] } as unknown as FrameInput;

/** A cube of springs between all corners, at rest but for its motion. */
function cube(stiffness: number): Guest {
  const x = Float64Array.from({ length: 3 * CORNERS }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1);
  const v = Float64Array.from(x, (_, i) => [0, 3, 0][i % 3]);
  const state = { positions: x.slice(), velocities: v.slice() };
  const length = (of: Float64Array, a: number, b: number): number => Math.hypot(...subtract(at(of, a), at(of, b)));
  const elasticEnergy = (): number => {
    let sum = 0;
    for (let a = 0; a < CORNERS; a++)
      for (let b = 0; b < a; b++) sum += 0.5 * stiffness * (length(state.positions, a, b) - length(x, a, b)) ** 2;
    return sum;
  };
  const push = new Float64Array(3 * CORNERS);
  return { model: { masses }, start: x, startVelocities: v, state, push, elasticEnergy } as unknown as Guest;
}

const at = (of: Float64Array, p: number): Vec3 => [of[3 * p], of[3 * p + 1], of[3 * p + 2]];

function momenta(x: Float64Array, v: Float64Array): number[] {
  const sum = [0, 0, 0, 0, 0, 0];
  masses.forEach((m, p) =>
    [...at(v, p), ...cross(at(x, p), at(v, p))].forEach((value, c) => {
      sum[c] += m * value;
    }),
  );
  return sum;
}

const kinetic = ({ state }: Guest): number =>
  state.velocities.reduce((sum, v, i) => sum + 0.5 * masses[Math.floor(i / 3)] * v * v, 0);

/** A blow that moves the cube, turns it by so many radians in a frame, and presses it. */
function blow(guest: Guest, angle: number, pressed: number) {
  const { positions: x } = guest.state;
  const yielded = new Float64Array(x.length);
  for (let p = 0; p < CORNERS; p++) {
    const arm = subtract(at(x, p), [0.5, 0.5, 0.5]);
    const turning = cross([0.3 * angle, 0, angle], arm);
    for (let c = 0; c < 3; c++) yielded[3 * p + c] = (turning[c] - (c === 1 ? pressed * arm[c] : 0)) / frame.dt - c;
  }
  const before = kinetic(guest);
  const after = yielded.reduce(
    (sum, u, i) => sum + 0.5 * masses[Math.floor(i / 3)] * (guest.state.velocities[i] + u) ** 2,
    0,
  );
  return {
    ways: yielded.map((u) => frame.dt * u) as Float64Array,
    yielded,
    work: after - before,
    isHeld: false,
    frame,
  };
}

describe("a guest after a frame among bodies of GPBD", () => {
  it.each([
    { angle: 0.5, pressed: 0 },
    { angle: 5, pressed: 0 },
    { angle: 2, pressed: 0.8 },
  ])("keeps the energy and the momenta of a blow: $angle rad, pressed by $pressed", ({ angle, pressed }) => {
    const guest = cube(1e8);
    const answer = blow(guest, angle, pressed);
    const { state } = guest;
    const x = state.positions.map((value, i) => value + answer.ways[i]) as Float64Array;
    const v = state.velocities.map((value, i) => value + answer.yielded[i]) as Float64Array;
    const energy = kinetic(guest) + answer.work;
    expect(land(guest, answer)).toBe(false);
    expect(kinetic(guest) + guest.elasticEnergy()).toBeLessThan(1.3 * energy);
    const [got, given] = [momenta(state.positions, state.velocities), momenta(x, v)];
    const scale = Math.hypot(...given);
    got.forEach((value, c) => expect(Math.abs(value - given[c]) / scale).toBeLessThan(1e-8));
  });

  it("is where its linear answer takes it while that has no more energy than the blow gave", () => {
    const guest = cube(1e3);
    const answer = blow(guest, 0.02, 0.01);
    const x = guest.state.positions.map((value, i) => value + answer.ways[i]);
    expect(land(guest, answer)).toBe(true);
    expect([...guest.state.positions]).toEqual([...x]);
  });
});
