/**
 * Rows of Table 3 of paper 2 on the f64 backend: the times of a frame's stages at the largest number of contacts. Five
 * iterations, ten of conjugate residuals, h = 0.01 s, as in the paper.
 */
import { ballTetrahedra, boxTetrahedra, gridMesh, solidModel, type DeformableBody, World } from "../../src/index";
import { localGlobalGroup } from "../../src/world/lanes/local-global-cpu";
import { localGlobalSheet } from "../../src/models/local-global/local-global-cloth";
import { type StepStage, StageClock } from "../../src/solvers/local-global/stage-clock";

export interface StageRow {
  readonly scene: string;
  readonly size: number;
  readonly backend: "cpu";
  readonly elements: number;
  /** most contacts of a frame; the times are of that frame */
  readonly contacts: number;
  /** the whole frame without detection, as in the table [ms] */
  readonly msPerFrame: number;
  /** all iterations of the frame together [ms] */
  readonly stages: Readonly<Record<StepStage, number>>;
}

export const FRAME = 0.01;
export const FRAMES = 8;
const options = { iterations: 5, newtonIterations: 1, constraintIterations: 10, airDensity: 0 } as const;
const material = { poissonRatio: 0.4, density: 1000, friction: 0.5 } as const;

interface Stand {
  readonly body: DeformableBody;
  /** before each frame */
  readonly move?: (time: number) => void;
}

/** The part of the table's scenes that is present at a moment of contact, with approximate numbers of vertices. */
export const stands: Readonly<Record<string, (world: World, size: number) => Stand>> = {
  "twisting bar": (world, size) => {
    const n = Math.max(1, Math.round(Math.cbrt(size / 4)));
    const mesh = boxTetrahedra({ size: [1, 0.25, 0.25], cells: [4 * n, n, n] });
    const model = solidModel({
      solver: "local-global",
      ...mesh,
      elements: "linear",
      material: { ...material, youngsModulus: 1e9, model: "arap" },
    });
    const x = model.positions;
    const pins = [...model.masses.keys()].filter((i) => Math.abs(x[3 * i]) > 0.499);
    const body = world.addBody(model, { ...options, pins });
    const move = (time: number): void => {
      for (const i of pins) {
        const angle = Math.sign(x[3 * i]) * time;
        const [y, z] = [x[3 * i + 1], x[3 * i + 2]];
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        body.setPinTarget(i, x[3 * i], c * y - s * z, s * y + c * z);
      }
    };
    return { body, move };
  },
  "sheet on a cube": (world, size) => {
    const cells = Math.max(2, Math.round(Math.sqrt(size)) - 1);
    world.addCollider({ type: "box", halfExtents: [0.25, 0.25, 0.25], center: [0, -0.25, 0] }, { friction: 0.5 });
    const mesh = gridMesh({ width: 1, height: 1, columns: cells, rows: cells, center: [0, 0.002, 0] });
    const stuff = { ...material, youngsModulus: 1e5, model: "neo-hookean" } as const;
    return { body: world.addBody(localGlobalSheet({ ...mesh, thickness: 0.001, material: stuff }), options) };
  },
  "ball on rollers": (world, size) => {
    const resolution = Math.max(2, Math.round(1.06 * Math.cbrt(size)));
    for (const side of [-1, 1]) {
      const axis = { pointA: [side * 0.12, -0.1, -0.3], pointB: [side * 0.12, -0.1, 0.3] } as const;
      world.addCollider({ type: "capsule", ...axis, radius: 0.06 }, { friction: 0.5 });
    }
    const stuff = { ...material, youngsModulus: 1e4, model: "neo-hookean" } as const;
    const model = solidModel({
      solver: "local-global",
      ...ballTetrahedra({ radius: 0.1, resolution }),
      material: stuff,
    });
    const body = world.addBody(model, options);
    // falls at full speed, so that it is squeezed at once
    body.writeState({ positions: model.positions, velocities: model.positions.map((_, i) => (i % 3 === 1 ? -1 : 0)) });
    return { body };
  },
};

export async function stageRow(scene: string, size: number): Promise<StageRow> {
  const world = await World.create({ backend: "cpu" });
  const { body, move } = stands[scene](world, size);
  const group = localGlobalGroup(world);
  const clock = new StageClock();
  let row: StageRow | undefined;
  for (let frame = 1; frame <= FRAMES; frame++) {
    move?.(frame * FRAME);
    // the first frame makes the factor
    group.clock = frame === 1 ? undefined : clock;
    clock.reset();
    const start = performance.now();
    world.step(FRAME);
    const ms = performance.now() - start - clock.times.detection;
    const { count: contacts } = group.contacts;
    if (frame === 1 || (row && row.contacts > contacts)) continue;
    row = {
      scene,
      size: body.particleCount,
      backend: "cpu",
      elements: body.model.tetrahedra ? body.model.tetrahedra.length / 4 : body.model.faces.length / 3,
      contacts,
      msPerFrame: ms,
      stages: { ...clock.times },
    };
  }
  world.dispose();
  return row!;
}
