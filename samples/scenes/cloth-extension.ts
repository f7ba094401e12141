import { type BodyState, gridMesh } from "../../src/index";
import { lameParameters, type PrincipalModel } from "../../src/materials/solid-material";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { principalDerivatives } from "../../src/materials/principal-density";
import { fastest, localGlobalParameters, stepping } from "../local-global";
import { numberOf } from "../parameters";
import type { PropMaterial, SceneDefinition } from "../scene";

const LENGTH = 1;
const WIDTH = 0.25;
const THICKNESS = 0.001;
const MODELS = ["neo-hookean", "corotational", "arap"] as const;
const MATERIALS: readonly PropMaterial[] = ["amber", "clay", "rubber"];
const FRAMES = 120;
/** Part of the run in which the strips are stretched. */
const PULL = 0.5;

/** Three strips of other materials are stretched to three times their length (figure 10 of paper 2). */
export const clothExtension: SceneDefinition = {
  name: "cloth-extension",
  title: "Cloth extension",
  description: "Of three strips the neo-Hookean one changes its area least, the ARAP one does not get narrower at all.",
  frames: FRAMES,
  groundHeight: -1,
  view: { target: [0, 0, 0], alpha: -1.57, beta: 0.6, radius: 4.2 },
  parameters: [
    ...localGlobalParameters({ youngsModulus: 1e5, poissonRatio: 0.45, iterations: 10 }).filter(
      ({ name }) => name !== "model" && name !== "friction",
    ),
    { name: "stretch", default: 3, unit: "", range: [1, 4], description: "length at the end over that at rest" },
    { name: "cells", default: 24, unit: "", range: [8, 400], integer: true, description: "cells along a strip" },
  ],
  metrics: [
    { name: "neoHookeanChange", unit: "", description: "of the area in the middle of the strip, as a part of it" },
    { name: "corotationalChange", unit: "", description: "the same" },
    { name: "arapChange", unit: "", description: "the same" },
    { name: "disorder", unit: "", bound: 0, description: "0: they are in this order, the neo-Hookean least" },
    {
      name: "widthError",
      unit: "",
      bound: 0.02,
      description: "of the middle's width against uniaxial extension: of the worst",
    },
    { name: "speed", unit: "m/s", bound: 0.01, description: "of the fastest vertex at the end" },
  ],
  build(world, values) {
    world.gravity = [0, 0, 0];
    const cells = numberOf(values, "cells");
    const rows = Math.max(2, Math.round((cells * WIDTH) / LENGTH / 2) * 2);
    const strips = MODELS.map((model, k) => {
      const mesh = gridMesh({ width: LENGTH, height: WIDTH, columns: cells, rows, center: [0, 0, 0.9 * (k - 1)] });
      const material = {
        youngsModulus: numberOf(values, "youngsModulus"),
        poissonRatio: numberOf(values, "poissonRatio"),
        density: numberOf(values, "density"),
        model,
      };
      const body = world.addBody(localGlobalSheet({ ...mesh, thickness: THICKNESS, material, name: model }), {
        ...stepping(values),
        damping: 8,
        bodyCollision: false,
      });
      const x = body.model.positions;
      const ends = [...body.model.masses.keys()].filter((i) => Math.abs(x[3 * i]) > LENGTH / 2 - 1e-9);
      body.pin(ends);
      return { body, ends, model, x };
    });
    const stretch = numberOf(values, "stretch");
    const duration = PULL * FRAMES * (1 / 60);
    return {
      props: [],
      softs: strips.map(({ body }, k) => ({ body, material: MATERIALS[k] })),
      beforeStep(time, dt) {
        const factor = 1 + (stretch - 1) * Math.min(1, (time + dt) / duration);
        for (const { body, ends, x } of strips)
          for (const p of ends) body.setPinTarget(p, factor * x[3 * p], x[3 * p + 1], x[3 * p + 2]);
      },
      async measure() {
        let [widthError, speed] = [0, 0];
        const changes: number[] = [];
        for (const { body, model, x } of strips) {
          const state: BodyState = await body.readState();
          speed = Math.max(speed, fastest(state.velocities));
          const [along, across] = middleStretch(x, state.positions, LENGTH / cells);
          changes.push(Math.abs(along * across - 1));
          const expected = lateralStretch(
            model,
            along,
            numberOf(values, "youngsModulus"),
            numberOf(values, "poissonRatio"),
          );
          widthError = Math.max(widthError, Math.abs(across / expected - 1));
        }
        const [neoHookeanChange, corotationalChange, arapChange] = changes as [number, number, number];
        const isOrdered = neoHookeanChange < corotationalChange && corotationalChange < arapChange;
        return { neoHookeanChange, corotationalChange, arapChange, disorder: isOrdered ? 0 : 1, widthError, speed };
      },
    };
  },
};

/** Stretches in the middle of a strip: lengthwise, between the vertices on either side of its middle, and across. */
function middleStretch(x: ArrayLike<number>, now: ArrayLike<number>, cell: number): readonly [number, number] {
  const near = (at: number): number[] => [...Array(x.length / 3).keys()].filter((i) => Math.abs(x[3 * i] - at) < 1e-6);
  const mean = (list: number[], c: number): number => list.reduce((sum, i) => sum + now[3 * i + c], 0) / list.length;
  const extent = (list: number[]): number => {
    const z = list.map((i) => now[3 * i + 2]);
    return Math.max(...z) - Math.min(...z);
  };
  return [(mean(near(cell), 0) - mean(near(-cell), 0)) / (2 * cell), extent(near(0)) / WIDTH];
}

/** Lateral stretch without stress at a free edge: ∂ψ/∂σ₂ = 0 at the stretch σ₁, by bisection. */
function lateralStretch(model: PrincipalModel, along: number, youngsModulus: number, poissonRatio: number): number {
  const { mu, lambda } = lameParameters(youngsModulus, poissonRatio);
  const plane = (2 * mu * lambda) / (lambda + 2 * mu);
  const [g, h] = [new Float64Array(2), new Float64Array(4)];
  let [low, high] = [1e-3, 2];
  for (let k = 0; k < 60; k++) {
    const across = (low + high) / 2;
    principalDerivatives(model, [along, across], 2, mu, plane, g, h);
    if (g[1] > 0) high = across;
    else low = across;
  }
  return (low + high) / 2;
}
