import { expect, it } from "vitest";
import { surfacesAreFree, type PlacedSurface } from "../../../src/collision/surface/free-surfaces";
import { putOutside } from "../../../src/collision/surface/put-outside";
import { RandomGeometry } from "../random";
import { tube, type Tube } from "./tubes";

const clearances = (scale: number) => ({ distance: 4e-3 * scale, least: 2e-4 * scale, step: 1.5e-3 * scale });

function randomTube(random: RandomGeometry, scale: number, radius: number, offset: number): Tube {
  const columns = Math.round(random.between(12, 24));
  return {
    radius: scale * radius,
    height: scale * random.between(0.3, 0.5),
    columns,
    rows: Math.max(4, Math.round(columns / 2)),
    wave: random.between(0, 0.12),
    phase: random.between(0, 6),
    center: [random.between(-offset, offset), random.between(-offset, offset), random.between(-offset, offset)].map(
      (x) => scale * x,
    ),
  };
}

/** Distances from the axis over the radius of the inner tube at that height and angle are above 1 outside. */
function isOutside(surface: PlacedSurface, { radius, height, wave, phase }: Tube): boolean {
  const { positions: x } = surface;
  for (let i = 0; i < x.length; i += 3) {
    if (Math.abs(x[i + 1]) > 0.5 * height) continue;
    const angle = Math.atan2(x[i + 2], x[i]);
    const wall = radius * (1 + wave * Math.sin(3 * angle + phase + (6 * x[i + 1]) / height));
    // The mesh of the tube has chords.
    if (Math.sqrt(x[i] ** 2 + x[i + 2] ** 2) < 0.9 * wall) return false;
  }
  return true;
}

it.each([
  [0.1, 1],
  [1, 4],
  [10, 7],
])("puts wavy tubes outside others that they cross or that hold them, %s times as large", (scale, first) => {
  for (let seed = first; seed < first + 2; seed++) {
    const random = new RandomGeometry(seed);
    const shape = randomTube(random, scale, 0.15, 0);
    const [inner, outer] = [tube(shape), tube(randomTube(random, scale, random.between(0.115, 0.16), 0.04))];
    const sizes = clearances(scale);
    expect(surfacesAreFree(inner, outer, sizes.least), `${seed}`).toBe(false);
    const positions = putOutside(outer, inner, sizes)!;
    const moved = { ...outer, positions };
    expect(surfacesAreFree(inner, moved, sizes.least), `${seed}`).toBe(true);
    expect(isOutside(moved, shape), `${seed}`).toBe(true);
    // A surface that is outside stays as it is, so that a world that continues elsewhere keeps its bits.
    expect(putOutside(moved, inner, sizes)).toBeUndefined();
  }
});

const even = { height: 0.4, columns: 16, rows: 8, wave: 0, phase: 0, center: [0, 0, 0] };

it("puts a tube outside that is wholly inside", () => {
  const [inner, outer] = [tube({ ...even, radius: 0.15 }), tube({ ...even, radius: 0.13, height: 0.2 })];
  expect(surfacesAreFree(inner, outer, 2e-4)).toBe(true);
  const positions = putOutside(outer, inner, clearances(1))!;
  expect(surfacesAreFree(inner, { ...outer, positions }, 2e-4)).toBe(true);
  expect(isOutside({ ...outer, positions }, { ...even, radius: 0.15 })).toBe(true);
});

it("leaves parts alone that lie behind the inner surface elsewhere", () => {
  // An apron in front of a coat: the coat's back is behind the apron, too.
  const coat = tube({ ...even, radius: 0.15 });
  const whole = tube({ ...even, radius: 0.15, columns: 30, center: [0, 0, 0.003] });
  const apron = {
    ...whole,
    faces: whole.faces.filter((_, i) => {
      const f = i - (i % 3);
      return [0, 1, 2].every((k) => whole.positions[3 * whole.faces[f + k] + 2] > 0.1);
    }),
  };
  const positions = putOutside(coat, apron, clearances(1))!;
  expect(surfacesAreFree(apron, { ...coat, positions }, 2e-4)).toBe(true);
  let moved = 0;
  for (let p = 0; p < positions.length; p += 3) {
    const isMoved = [0, 1, 2].some((c) => positions[p + c] !== coat.positions[p + c]);
    if (isMoved) moved++;
    if (coat.positions[p + 2] < 0) expect(isMoved).toBe(false);
  }
  expect(moved).toBeGreaterThan(10);
});
