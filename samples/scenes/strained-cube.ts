import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { kineticEnergy } from "../metrics";
import { numberOf, textOf } from "../parameters";
import { addSolidBox, minDeterminant, solidParameters, type SolidBox } from "../solids";
import type { ParameterValues, SceneDefinition } from "../scene";

const SIDE = 1;
const POISSON_RATIO = 0.4995;
/** Usual length of a run [s]. */
const DURATION = 2;
/** Part of the run in which the ends move; then they are held. */
const LOADING = 0.5;

/**
 * A row of table 5, from this Poisson's ratio on: iterations of Algorithm 1 and of Newton in it (i_G, i_N). If the scene takes a different
 * number of outer ones than the table, that is `taken`.
 */
type Iterations = readonly [poissonRatio: number, outer: number, newton: number, taken?: number];

/**
 * Outer iterations of `nh-compress` at Poisson's ratio 0.4995. With the table's 2 the stable model leaves elements inside out with 8 and
 * with 20 cells. With the table's 20 the log barrier keeps trembling; fewer iterations damp that.
 */
const PRESSED = 4;

interface Counts {
  readonly stable: readonly Iterations[];
  readonly logarithmic: readonly Iterations[];
}

/** A scene of table 5. */
export interface StrainedCube extends SceneDefinition {
  inTable(model: string, poissonRatio: number): Iterations;
}

/** A cube is held by two faces, which are moved apart, together, or turned (section 5.3 of paper 1). */
function strainedCube(
  about: Pick<SceneDefinition, "name" | "title" | "description">,
  model: "neo-hookean" | "stable-neo-hookean",
  counts: Counts,
  /** place of a vertex of the right face, for a part of the way from 0 to 1 */
  move: (part: number, x: number, y: number, z: number) => readonly [number, number, number],
): StrainedCube {
  const inTable = (of: string, ratio: number): Iterations => {
    const table = of === "neo-hookean" ? counts.logarithmic : counts.stable;
    return table.findLast(([from]) => ratio >= from - 1e-9) ?? table[0];
  };
  const follow =
    (choose: (row: Iterations) => number) =>
    (values: ParameterValues): number =>
      choose(inTable(textOf(values, "model"), numberOf(values, "poissonRatio")));
  const outer = ([, count, , taken = count]: Iterations): number => taken;
  const newton = ([, , count]: Iterations): number => count;
  const usual = inTable(model, POISSON_RATIO);
  return {
    ...about,
    inTable,
    frames: DURATION * 100,
    groundHeight: -SIDE,
    view: { target: [0.2, 0, 0], alpha: -1.4, beta: 1.2, radius: 3.8 },
    parameters: [
      ...solidParameters({
        cells: 8,
        frameTime: 0.01,
        substeps: 10,
        iterations: outer(usual),
        newtonIterations: newton(usual),
        model,
        poissonRatio: POISSON_RATIO,
        followIterations: follow(outer),
        followNewtonIterations: follow(newton),
      }),
      {
        name: "duration",
        default: DURATION,
        unit: "s",
        range: [0.1, 100],
        description: "of the run: in its first half the ends move",
      },
    ],
    metrics: [
      {
        name: "kineticEnergyDecay",
        unit: "",
        bound: 0.05,
        description:
          "kinetic energy in the last tenth of the run over the largest. Nothing but the time step damps, and that leaves slow modes " +
          "nearly alone: an iteration that trembles or blows up shows here",
      },
      { name: "volumeChangePercent", unit: "%", bound: 2, description: "difference of the volume, absolute" },
      { name: "inverted", unit: "", bound: 0, description: "1 where a tetrahedron is inside out at the end, else 0" },
      { name: "minDeterminant", unit: "", description: "least determinant of a deformation gradient at the end" },
    ],
    build(world, values) {
      world.gravity = [0, 0, 0];
      const solid = addSolidBox(world, values, { size: [SIDE, SIDE, SIDE], center: [0, 0, 0] });
      const { body, model } = solid;
      const { right } = pinEnds(solid);
      const { positions: rest } = model;
      const duration = numberOf(values, "duration");
      let [largest, late] = [0, 0];
      return {
        props: [],
        softs: [{ body, material: "amber" }],
        beforeStep(time, dt) {
          const part = Math.min(1, (time + dt) / (LOADING * duration));
          const eased = part * part * (3 - 2 * part);
          for (const p of right) body.setPinTarget(p, ...move(eased, rest[3 * p], rest[3 * p + 1], rest[3 * p + 2]));
        },
        async afterStep() {
          const { velocities } = await body.readState();
          const energy = kineticEnergy(velocities, model.masses);
          largest = Math.max(largest, energy);
          late = world.time > 0.9 * duration ? Math.max(late, energy) : 0;
        },
        async measure() {
          const { positions } = await body.readState();
          const least = minDeterminant(model, positions);
          const volume = meshVolume(positions, model.tetrahedra) / meshVolume(rest, model.tetrahedra);
          return {
            kineticEnergyDecay: late / largest,
            volumeChangePercent: 100 * Math.abs(volume - 1),
            inverted: least > 0 ? 0 : 1,
            minDeterminant: least,
          };
        },
      };
    },
  };
}

function pinEnds({ body, model }: SolidBox): { right: number[] } {
  const ends = (side: number): number[] =>
    Array.from(model.masses.keys()).filter((p) => Math.abs(model.positions[3 * p] - (side * SIDE) / 2) < 1e-9);
  const right = ends(1);
  body.pin([...ends(-1), ...right]);
  return { right };
}

export const nhStretch = strainedCube(
  { name: "nh-stretch", title: "Stretched", description: "A nearly incompressible cube is drawn to twice its length." },
  "neo-hookean",
  {
    stable: [
      [0.45, 3, 2],
      [0.49, 2, 3],
      [0.495, 2, 3],
      [0.499, 3, 5],
    ],
    logarithmic: [
      [0.45, 3, 3],
      [0.49, 3, 5],
    ],
  },
  (part, x, y, z) => [x + SIDE * part, y, z],
);

export const nhCompress = strainedCube(
  {
    name: "nh-compress",
    title: "Compressed",
    description: "A nearly incompressible cube is pressed to half its length.",
  },
  "stable-neo-hookean",
  {
    stable: [
      [0.45, 2, 3],
      [0.499, 2, 5],
      [0.4995, 2, 8, PRESSED],
    ],
    logarithmic: [
      [0.45, 2, 5],
      [0.49, 2, 7],
      [0.495, 2, 10],
      [0.499, 8, 10],
      [0.4995, 20, 10, PRESSED],
    ],
  },
  (part, x, y, z) => [x - 0.5 * SIDE * part, y, z],
);

export const nhTwist = strainedCube(
  {
    name: "nh-twist",
    title: "Twisted",
    description:
      "One face of a nearly incompressible cube makes half a turn. Cells as coarse as a third of it lock and snap over, which nothing but " +
      "the time step damps: with four across, or `damping` 1, it comes to rest.",
  },
  "neo-hookean",
  {
    stable: [
      [0.45, 2, 1],
      [0.495, 2, 2],
      [0.4995, 2, 3],
    ],
    logarithmic: [
      [0.45, 2, 2],
      [0.499, 2, 5],
    ],
  },
  (part, x, y, z) => {
    const [c, s] = [Math.cos(Math.PI * part), Math.sin(Math.PI * part)];
    return [x, c * y - s * z, s * y + c * z];
  },
);
