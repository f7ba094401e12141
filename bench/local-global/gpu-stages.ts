/** The frames of `stages.ts` on a GPU, by timestamp queries. */
import { World } from "../../src/index";
import { FRAME, FRAMES, stands } from "./stages";

export interface GpuStageRow {
  readonly scene: string;
  readonly size: number;
  readonly backend: "webgpu";
  readonly elements: number;
  /** all passes of a frame, the median of the frames after the first [ms] */
  readonly msPerFrame: number;
  /** of that frame, by passes [ms] */
  readonly passes: Readonly<Record<string, number>>;
}

/** @returns undefined if the adapter has no timestamp queries */
export async function gpuStageRow(scene: string, size: number, gpu: GPU): Promise<GpuStageRow | undefined> {
  const world = await World.create({ backend: "webgpu", gpu, timestamps: true, snapshotInterval: 0 });
  const { body, move } = stands[scene](world, size);
  const frames: { total: number; passes: Readonly<Record<string, number>> }[] = [];
  for (let frame = 1; frame <= FRAMES; frame++) {
    move?.(frame * FRAME);
    world.step(FRAME);
    await world.settled();
    const passes = await world.gpuTime();
    if (passes && frame > 1) frames.push({ passes, total: Object.values(passes).reduce((sum, ms) => sum + ms, 0) });
  }
  world.dispose();
  const median = frames.sort((a, b) => a.total - b.total)[Math.floor(frames.length / 2)];
  if (!median) return undefined;
  return {
    scene,
    size: body.particleCount,
    backend: "webgpu",
    elements: body.model.tetrahedra ? body.model.tetrahedra.length / 4 : body.model.faces.length / 3,
    msPerFrame: median.total,
    passes: median.passes,
  };
}
