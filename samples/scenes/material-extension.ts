import { boxTetrahedra, type DeformableBody, solidModel, type Vec3 } from "../../src/index";
import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { numberOf } from "../parameters";
import { rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

const THICKNESS = 0.25;
const LENGTH = 1;
/** Part of the run in which the bars are stretched; in the rest they come to rest. */
const PULL = 0.6;

/** Two bars, clamped at both ends, are stretched to twice their length (figure 13 of paper 3). */
export const materialExtension: SceneDefinition = {
  name: "material-extension",
  title: "Material extension",
  description: "The corotational bar (above) loses volume when it is stretched; the stable neo-Hookean one keeps it.",
  frames: 120,
  groundHeight: -0.6,
  view: { target: [0, 0, 0], alpha: -1.57, beta: 1.25, radius: 3.4 },
  parameters: [
    ...rigidParameters({ substeps: 1 }),
    { name: "youngsModulus", default: 1e5, unit: "Pa", range: [1e3, 1e9], description: "of both bars" },
    { name: "poissonRatio", default: 0.45, unit: "", range: [0, 0.49], description: "of both bars" },
    { name: "stretch", default: 2, unit: "", range: [1, 4], description: "length at the end over that at rest" },
    {
      name: "cells",
      default: 8,
      unit: "",
      range: [2, 24],
      integer: true,
      description: "cells along a bar; a quarter as many across",
    },
  ],
  metrics: [
    { name: "linearLoss", unit: "", description: "part of its volume that the corotational bar has lost" },
    { name: "neoHookeanLoss", unit: "", description: "the same of the stable neo-Hookean bar; negative: gained" },
    { name: "lossRatio", unit: "", bound: 1 / 3, description: "sizes of the second and the first" },
    { name: "speed", unit: "m/s", bound: 1e-3, description: "largest speed of a particle at the end" },
  ],
  build(world, values) {
    setUp(world, values, 0);
    const bars = (["corotational", "stable-neo-hookean"] as const).map((model, k) => {
      const across = Math.max(1, Math.round(numberOf(values, "cells") / 4));
      const center: Vec3 = [0, k === 0 ? 0.3 : -0.3, 0];
      const mesh = boxTetrahedra({
        size: [LENGTH, THICKNESS, THICKNESS],
        cells: [numberOf(values, "cells"), across, across],
        center,
      });
      const material = {
        youngsModulus: numberOf(values, "youngsModulus"),
        poissonRatio: numberOf(values, "poissonRatio"),
        density: 1000,
        model,
      };
      const body = world.addBody(solidModel({ solver: "newton", ...mesh, elements: "linear", material, name: model }));
      const ends = [...mesh.positions.keys()].filter(
        (i) => i % 3 === 0 && Math.abs(mesh.positions[i]) > LENGTH / 2 - 1e-9,
      );
      const pins = ends.map((i) => i / 3);
      body.pin(pins);
      return { body, mesh, pins };
    });
    const stretch = numberOf(values, "stretch");
    const duration = PULL * materialExtension.frames * (1 / 60);
    return {
      props: [],
      softs: bars.map(({ body }, k) => ({ body, material: k === 0 ? "clay" : "amber" })),
      beforeStep(time, dt) {
        const part = Math.min(1, (time + dt) / duration);
        const factor = 1 + (stretch - 1) * part;
        for (const { body, mesh, pins } of bars)
          for (const p of pins)
            body.setPinTarget(p, factor * mesh.positions[3 * p], mesh.positions[3 * p + 1], mesh.positions[3 * p + 2]);
      },
      async measure() {
        const losses: number[] = [];
        let speed = 0;
        for (const { body, mesh } of bars) {
          const { positions, velocities } = await body.readState();
          losses.push(1 - meshVolume(positions, mesh.tetrahedra) / meshVolume(mesh.positions, mesh.tetrahedra));
          speed = Math.max(speed, fastest(velocities, body));
        }
        const [linearLoss, neoHookeanLoss] = losses;
        return { linearLoss, neoHookeanLoss, lossRatio: Math.abs(neoHookeanLoss / linearLoss), speed };
      },
    };
  },
};

function fastest(velocities: ArrayLike<number>, body: DeformableBody): number {
  let most = 0;
  for (let p = 0; p < 3 * body.particleCount; p += 3)
    most = Math.max(most, Math.hypot(velocities[p], velocities[p + 1], velocities[p + 2]));
  return most;
}
