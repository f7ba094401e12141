import { boxTetrahedra } from "../../src/index";
import { addSolid, localGlobalParameters } from "../local-global";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";
import { posts } from "../stands";

const GRAVITY = 9.81;
const LENGTH = 1;
/** Length over thickness. Shear adds 2 % to the deflection of so thick a beam, and linear tetrahedra subtract about as much. */
const SLENDERNESS = 6;
const THICKNESS = LENGTH / SLENDERNESS;
/** Deflection of the tip according to Euler and Bernoulli, as a part of the length; it also determines the material. */
const DEFLECTION = 0.02;
/** Frames in which the beam sags, damped; then its weight is removed, and it swings. */
const SAG = 24;
const SWING = 30;
/** First root of cos k cosh k = −1, squared: ω = k² √(E I / ρ A) / L². */
const FIRST_MODE = 3.5160153;

/** A clamped beam sags as Euler and Bernoulli predict, and swings in its first mode. */
export const softBeam: SceneDefinition = {
  name: "soft-beam",
  title: "Soft beam",
  description: "A clamped beam sags by its weight, 2 % of its length. Then its weight is taken away, and it swings.",
  frames: SAG + SWING,
  groundHeight: -0.4,
  view: { target: [0.5, 0, 0], alpha: -1.4, beta: 1.3, radius: 1.6 },
  parameters: [
    ...localGlobalParameters({
      substeps: 4,
      iterations: 10,
      youngsModulus: stiffness(1000),
      poissonRatio: 0,
      model: "corotational",
    }),
    {
      name: "cells",
      default: 8,
      unit: "",
      range: [2, 40],
      integer: true,
      description: "through the thickness of the beam, six times as many along it: 40 make 20k vertices",
    },
  ],
  metrics: [
    {
      name: "deflectionError",
      unit: "",
      bound: 0.03,
      description: "difference of the tip's deflection from Euler-Bernoulli's, as a part of it",
    },
    {
      name: "frequencyError",
      unit: "",
      bound: 0.05,
      description: "difference of the frequency from that of the first mode, as a part of it",
    },
    { name: "deflection", unit: "m", description: "of the mean of the tip's vertices" },
    { name: "frequency", unit: "Hz", description: "from where the tip passes the axis" },
  ],
  build(world, values) {
    const [youngsModulus, density] = [numberOf(values, "youngsModulus"), numberOf(values, "density")];
    const omega = (FIRST_MODE * THICKNESS * Math.sqrt(youngsModulus / (12 * density))) / LENGTH ** 2;
    // so that the deflection is the same for any material
    world.gravity = [0, (-GRAVITY * youngsModulus) / stiffness(density), 0];
    const cells = numberOf(values, "cells");
    const mesh = boxTetrahedra({
      size: [LENGTH, THICKNESS, THICKNESS / 3],
      cells: [SLENDERNESS * cells, cells, Math.max(1, Math.floor(cells / 8))],
      center: [LENGTH / 2, 0, 0],
    });
    const body = addSolid(world, values, "beam", mesh, { damping: 2 * omega });
    const rest = mesh.positions;
    const at = (x: number): number[] =>
      [...body.model.masses.keys()].filter((i) => Math.abs(rest[3 * i] - x) < 1e-9 * LENGTH);
    body.pin(at(0));
    const tip = at(LENGTH);
    const height = async (): Promise<number> => {
      const now = await body.readPositions();
      return tip.reduce((sum, i) => sum + now[3 * i + 1] - rest[3 * i + 1], 0) / tip.length;
    };
    let deflection = 0;
    /** times at which the tip passed the axis [s] */
    const passages: number[] = [];
    let before = 0;
    return {
      props: [
        { shape: { type: "box", halfExtents: [0.05, 0.15, 0.1] }, position: [-0.05, 0, 0], material: "steel" },
        ...posts(-0.4, 0.03, [-0.05, 0, 0]),
      ],
      softs: [{ body, material: "rubber" }],
      beforeStep() {
        if (world.frame !== SAG) return;
        world.gravity = [0, 0, 0];
        body.setOptions({ damping: 0 });
      },
      async afterStep(frame) {
        const now = await height();
        if (frame === SAG) deflection = -now;
        else if (frame > SAG && before * now < 0)
          passages.push(world.time - (numberOf(values, "frameTime") * now) / (now - before));
        before = now;
      },
      measure() {
        const periods = (passages.length - 1) / 2;
        const frequency = periods > 0 ? periods / (passages.at(-1) - passages[0]) : 0;
        return Promise.resolve({
          deflectionError: Math.abs(deflection / (DEFLECTION * LENGTH) - 1),
          frequencyError: Math.abs((2 * Math.PI * frequency) / omega - 1),
          deflection,
          frequency,
        });
      },
    };
  },
};

/** Young's modulus [Pa] that gives a beam of a density [kg/m³] this sag: w = ρ g A L⁴ / 8 E I, A/I = 12 / T². */
function stiffness(density: number): number {
  return (1.5 * density * GRAVITY * LENGTH ** 3) / (DEFLECTION * THICKNESS ** 2);
}
