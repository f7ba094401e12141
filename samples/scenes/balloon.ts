import { boundaryTriangles, boxTetrahedra } from "../../src/geometry/tetrahedra/tet-mesh";
import { clothModel, fabrics, icosphereMesh } from "../../src/index";
import { enclosedVolume } from "../../src/solvers/gpbd/pressure/inflation";
import { elementKindOf } from "../../src/solvers/gpbd/elements/defined/defined-element";
import { gatherElement } from "../../src/solvers/gpbd/elements/elements";
import { termLayout, type GpbdModel } from "../../src/solvers/gpbd/model";
import { shapeDeviation } from "../local-global";
import { Obstacle } from "../obstacles";
import { choiceOf, commonParameters, numberOf, solverOptions } from "../parameters";
import type { ParameterValues, SceneDefinition } from "../scene";
import { legs } from "../stands";

const RADIUS = 0.15;
/** Side and height of a cushion before inflation [m]. */
const [SIDE, HEIGHT] = [0.3, 0.06];
const AMBIENT = 101_325;
const PLATE = 0.02;
const THICKNESS = 0.004;
/** Initial distance of the plates from the middle [m]. */
const APART = 0.3;
const GROUND = -0.5;
/** Times at which the plates begin to close, are closed, begin to open and are open [s]. */
const [CLOSE, CLOSED, OPEN, OPENED] = [0.5, 0.75, 0.85, 1.1];

const contents = ["pump", "gas", "volume"] as const;
const shapes = ["sphere", "cushion"] as const;

/** A rubber balloon, or a square cushion, is inflated, squashed between plates and released. */
export const balloon: SceneDefinition = {
  name: "balloon",
  title: "Balloon",
  description:
    "A spherical rubber membrane is blown up until its tension carries the pressure, p = 2 T / r, then squashed between " +
    "two plates and let go. Nothing but its own pressure acts on it before the plates come. A cushion does the same.",
  frames: 96,
  groundHeight: GROUND,
  view: { target: [0, 0, 0], alpha: -1.2, beta: 1.35, radius: 1.3 },
  parameters: [
    // A sweep leaves (c Δt / l)² of the tension: edges of half the length need twice the substeps.
    ...commonParameters({
      substeps: 120,
      iterations: 1,
      followSubsteps: (values) =>
        Math.min(256, (values.shape === "cushion" ? 60 : 30) * 2 ** numberOf(values, "subdivisions")),
    }),
    {
      name: "shape",
      default: "sphere",
      unit: "",
      choices: shapes,
      description: "a sphere, or a flat box, which swells to a cushion",
    },
    {
      name: "contents",
      default: "gas",
      unit: "",
      choices: contents,
      // A flat box takes in so much air that a gas would have no pressure left.
      follow: (values) => (values.shape === "cushion" ? "pump" : "gas"),
      description: "constant pressure, a gas of which nothing gets out, or a volume that is striven for",
    },
    {
      name: "pressure",
      default: 5000,
      unit: "Pa",
      range: [100, 12_000],
      description: "over that of the air, of a gas at the volume of the unblown balloon",
    },
    {
      name: "subdivisions",
      default: 2,
      unit: "",
      range: [1, 5],
      integer: true,
      description:
        "of the icosahedron: 2 make 162 vertices, 3 make 642; as many of a cushion's side: 2 make 8 segments",
    },
    {
      name: "squash",
      default: 0.5,
      unit: "",
      range: [0.2, 1],
      description: "gap of the plates over the diameter at rest, for a cushion over its height when it is blown up",
    },
  ],
  metrics: [
    {
      name: "laplaceError",
      unit: "",
      bound: 0.03,
      description:
        "of the pressure against 2 T / r, with the tension T of the material at the balloon's stretch; of a cushion against what its " +
        "energy U has to carry, 3 p V = Σ x · ∂U/∂x",
    },
    { name: "momentumError", unit: "", bound: 1e-3, description: "of the sum over the sum of magnitudes, at most" },
    {
      name: "stretch",
      unit: "",
      description: "mean distance of vertices from their middle over that at rest, blown up",
    },
    { name: "squashedVolume", unit: "", description: "least volume between the plates over that before" },
    { name: "pressureRise", unit: "", description: "pressure over that of the air at that moment, over that before" },
    {
      name: "recovery",
      unit: "",
      bound: 0.01,
      description:
        "difference of a radius from their mean at the end, at most, over the mean; of a cushion's vertex from where it is in the shape " +
        "before the plates came, however that has moved and turned as a whole",
    },
    {
      name: "spin",
      unit: "1/s",
      description:
        "angular velocity at the end: nothing turns it but what steps make of angular momentum, and the plates",
    },
    { name: "volumeChange", unit: "", bound: 0.01, description: "from before the plates came to the end" },
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const fabric = fabrics["rubber-sheet"];
    const isCushion = choiceOf(values, "shape", shapes) === "cushion";
    const subdivisions = numberOf(values, "subdivisions");
    const mesh = isCushion ? flatBox(2 ** (subdivisions + 1)) : icosphereMesh({ radius: RADIUS, subdivisions });
    const model = clothModel({ ...mesh, fabric, name: "balloon" });
    const restRadius = meanRadius(model.positions);
    const restVolume = enclosedVolume(model.positions, model.faces);
    const law = contentsOf(values, restVolume);
    const body = world.addBody(model, {
      ...solverOptions(values),
      ...law.options,
      airDensity: 0,
      damping: 8,
      thickness: THICKNESS,
    });
    const half = [0.3, PLATE / 2, 0.3] as const;
    const plates = [-1, 1].map((side) => ({
      side,
      plate: new Obstacle(
        world,
        { type: "box", halfExtents: half },
        { position: [0, side * APART, 0], friction: 0.5 },
        "glass",
      ),
    }));
    let [momentumError, laplaceError, stretch, before, squashed] = [0, 1, 1, restVolume, restVolume];
    let blown: ArrayLike<number> = model.positions;
    const closest = (): number =>
      numberOf(values, "squash") * (isCushion ? highest(blown) : RADIUS) + PLATE / 2 + THICKNESS;
    const volumeOf = (positions: ArrayLike<number>): number => enclosedVolume(positions, model.faces);
    return {
      props: [...plates.map(({ plate }) => plate), ...legs(GROUND, 0.01, [0.27, APART + 0.06, 0.27])],
      // Air pushes against the side opposite to the one that Babylon draws.
      softs: [{ body, material: "rubber", faces: model.faces.slice().reverse() }],
      beforeStep(time, dt) {
        const shut = closing(time + dt);
        const distance = APART + shut * (closest() - APART);
        for (const { side, plate } of plates) plate.moveTo([0, side * distance, 0]);
      },
      async steer() {
        if (world.time < CLOSE) blown = await body.readPositions();
      },
      async afterStep() {
        const { positions, velocities } = await body.readState();
        if (world.time < CLOSE) {
          momentumError = Math.max(momentumError, imbalance(model.masses, velocities));
          squashed = before = volumeOf(positions);
          const radius = meanRadius(positions);
          stretch = radius / restRadius;
          const pressure = law.pressureAt(before);
          if (isCushion) laplaceError = Math.abs((3 * pressure * before) / virial(model, positions) - 1);
          else {
            // Saint Venant-Kirchhoff: the second Piola-Kirchhoff tension S; with equal stretches it is Cauchy's as well
            const tension = (fabric.stretchWarp / (1 - fabric.poissonRatio)) * 0.5 * (stretch ** 2 - 1);
            laplaceError = Math.abs((pressure * radius) / (2 * tension) - 1);
          }
        } else squashed = Math.min(squashed, volumeOf(positions));
      },
      async measure() {
        const { positions, velocities } = await body.readState();
        return {
          laplaceError,
          momentumError,
          stretch,
          squashedVolume: squashed / before,
          pressureRise: law.pressureAt(squashed) / law.pressureAt(before),
          recovery: isCushion ? shapeDeviation(blown, positions) / meanRadius(blown) : roundness(positions),
          spin: spinOf(positions, velocities),
          volumeChange: Math.abs(volumeOf(positions) / before - 1),
        };
      },
    };
  },
};

/** A closed box of triangles, n × n squares on top and on the bottom. */
function flatBox(n: number) {
  const { positions, tetrahedra } = boxTetrahedra({ size: [SIDE, HEIGHT, SIDE], cells: [n, 1, n] });
  // Tetrahedra have their faces wound the other way.
  return { positions, indices: boundaryTriangles(tetrahedra).reverse() };
}

/** Σ x · ∂U/∂x, the work of the elastic forces against a dilation [J]. */
function virial({ terms }: GpbdModel, positions: ArrayLike<number>): number {
  let sum = 0;
  for (const term of terms) {
    const { strain, density, measureAt } = elementKindOf(term);
    const { arity, rest: stride } = termLayout[term.kind];
    const { dimension: k } = strain;
    const [x, s, stress] = [new Float64Array(3 * arity), new Float64Array(k), new Float64Array(k)];
    const jacobian = new Float64Array(3 * arity * k);
    for (let e = 0; e < term.elementCount; e++) {
      gatherElement(term, e, positions, x);
      strain.strain(x, term.rest, stride * e, s);
      strain.jacobian(x, term.rest, stride * e, jacobian);
      density.gradient(s, term.material, stress);
      const measure = measureAt < 0 ? 1 : term.rest[stride * e + measureAt];
      for (let j = 0; j < jacobian.length; j++)
        sum += measure * stress[Math.floor(j / x.length)] * jacobian[j] * x[j % x.length];
    }
  }
  return sum;
}

/** Largest height above the middle plane [m]. */
function highest(positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 1; i < positions.length; i += 3) most = Math.max(most, positions[i]);
  return most;
}

/**
 * Mean of the angular velocities of vertices about their middle, weighted by the squares of their distances from it
 * [1/s].
 */
function spinOf(positions: ArrayLike<number>, velocities: ArrayLike<number>): number {
  const n = positions.length / 3;
  const centre = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) centre[i % 3] += positions[i] / n;
  const momentum = [0, 0, 0];
  let inertia = 0;
  for (let i = 0; i < positions.length; i += 3)
    for (let c = 0; c < 3; c++) {
      const [a, b] = [(c + 1) % 3, (c + 2) % 3];
      const [x, y] = [positions[i + a] - centre[a], positions[i + b] - centre[b]];
      momentum[c] += x * velocities[i + b] - y * velocities[i + a];
      inertia += (2 / 3) * x * x;
    }
  return Math.hypot(...momentum) / inertia;
}

/** The content of the balloon: options of the body, and the gauge pressure that they give at a volume [Pa]. */
function contentsOf(values: ParameterValues, restVolume: number) {
  const pressure = numberOf(values, "pressure");
  switch (choiceOf(values, "contents", contents)) {
    case "pump":
      return { options: { pressure }, pressureAt: () => pressure };
    case "gas":
      return {
        options: { pressure, sealed: true },
        pressureAt: (volume: number) => ((AMBIENT + pressure) * restVolume) / volume - AMBIENT,
      };
    default: {
      const [volume, bulkModulus] = [1.5 * restVolume, 1e5];
      return {
        options: { volume, bulkModulus },
        pressureAt: (now: number) => bulkModulus * (1 - now / volume),
      };
    }
  }
}

/** 1 while the plates are closed, 0 while they are open. */
function closing(time: number): number {
  const ease = (from: number, to: number): number => {
    const t = Math.min(1, Math.max(0, (time - from) / (to - from)));
    return t * t * (3 - 2 * t);
  };
  return ease(CLOSE, CLOSED) - ease(OPEN, OPENED);
}

function imbalance(masses: ArrayLike<number>, velocities: ArrayLike<number>): number {
  const sum = [0, 0, 0];
  let all = 0;
  for (let p = 0; p < masses.length; p++) {
    const v = [0, 1, 2].map((c) => velocities[3 * p + c]);
    v.forEach((value, c) => (sum[c] += masses[p] * value));
    all += masses[p] * Math.hypot(...v);
  }
  return all > 0 ? Math.hypot(...sum) / all : 0;
}

function radii(positions: ArrayLike<number>): Float64Array {
  const n = positions.length / 3;
  const centre = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) centre[i % 3] += positions[i] / n;
  return Float64Array.from({ length: n }, (_, p) =>
    Math.hypot(...centre.map((value, c) => positions[3 * p + c] - value)),
  );
}

function meanRadius(positions: ArrayLike<number>): number {
  const all = radii(positions);
  return all.reduce((sum, r) => sum + r, 0) / all.length;
}

/** Largest difference of a radius from the mean radius, relative to the mean. */
function roundness(positions: ArrayLike<number>): number {
  const mean = meanRadius(positions);
  return radii(positions).reduce((most, r) => Math.max(most, Math.abs(r / mean - 1)), 0);
}
