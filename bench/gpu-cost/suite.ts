import type { Progress } from "../../samples/cli/progress";
import { numberOf, resolveParameters } from "../../samples/parameters";
import type { ParameterValue, SceneDefinition } from "../../samples/scene";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { sharpCorner } from "../../samples/scenes/sharp-corner";
import { softCube } from "../../samples/scenes/soft-cube";
import { squeezingBall } from "../../samples/scenes/squeezing-ball";
import { requestContext } from "../../src/gpu/device";
import { World } from "../../src/index";
import { airInterval } from "../../src/solvers/gpbd/external-forces";
import {
  frameWork,
  patchSubsteps,
  timeOfOne,
  timeOfPatches,
  type GpuProfile,
  type WorkInput,
} from "../../src/solvers/gpbd/fused/fused-cost";
import type { GpbdModel } from "../../src/solvers/gpbd/model";
import { sweepsAtOnce, termInterval, type GpbdOptions } from "../../src/solvers/gpbd/options";
import { fusedPart } from "../../src/world/backend/sheet-parts";
import { describeMachine, versions } from "../machine";
import type { WebGpuSource } from "../rigid-gpu/suite";
import { CommandCounter, dispatchesOf, type CommandCount } from "./commands";
import { estimate, profiles, type ProfileName } from "./profiles";

/** A scene whose commands are counted. */
export interface CostHeat {
  readonly scene: SceneDefinition;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** options of its bodies besides those of the scene */
  readonly options?: Partial<GpbdOptions>;
  /** dispatches in a frame that the project aims at */
  readonly aim?: number;
}

/** A frame of a scene: the one with the most dispatches. */
export interface CostRow {
  readonly scene: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly options: Partial<GpbdOptions>;
  readonly substeps: number;
  readonly frames: number;
  readonly direct: number;
  readonly indirect: number;
  /** of direct dispatches */
  readonly workgroups: number;
  readonly passes: number;
  readonly submits: number;
  readonly copies: number;
  readonly writes: number;
  readonly writtenBytes: number;
  readonly setPipeline: number;
  readonly setBindGroup: number;
  readonly hostCalls: number;
  /** of all buffers that a dispatch was bound to */
  readonly boundBytes: number;
  readonly aim?: number;
  /** of a body that is stepped in one dispatch: dispatches that a frame takes otherwise, and barriers that stand in their place */
  readonly replaced?: number;
  readonly barriers?: number;
  /** time of a frame on kinds of GPUs by a model [ms]: not measured */
  readonly modeled: Readonly<Record<ProfileName, number>>;
  readonly kernels: Readonly<Record<string, { direct: number; indirect: number; workgroups: number }>>;
}

export interface CostResult {
  readonly suite: "gpu-cost";
  readonly machine: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly profiles: typeof profiles;
  readonly rows: readonly CostRow[];
}

const FRAMES = 6;
/** Segments along the cloth. */
const SIZES = [32, 64];
/** Cells along an edge: 20,250 tetrahedra. */
const CELLS = 15;

/**
 * Counts the commands of a frame on any adapter, and estimates from them what it costs on kinds of GPUs.
 *
 * @param frames of each scene, default 6
 * @param sizes segments along the cloth, default 32 and 64
 */
export async function gpuCostSuite(
  frames = FRAMES,
  sizes: readonly number[] = SIZES,
  source: WebGpuSource,
  progress?: Progress,
): Promise<CostResult> {
  const heats = [...sizes.flatMap(clothHeats), ...otherHeats];
  const { device } = await requestContext(source.gpu);
  const rows: CostRow[] = [];
  for (const heat of heats) {
    rows.push(await countHeat(heat, frames, device));
    progress?.update(rows.length, heats.length);
  }
  return {
    suite: "gpu-cost",
    machine: describeMachine(),
    adapter: source.adapter,
    versions: versions(),
    profiles,
    rows,
  };
}

const clothHeats = (resolution: number): CostHeat[] => {
  const cloth = { scene: clothOnSphere, parameters: { resolution } };
  return [
    { ...cloth, options: { oneDispatch: false, patches: false }, aim: 30 },
    { ...cloth, options: { oneDispatch: true }, aim: 30 },
    { ...cloth, options: { patches: true }, aim: 30 },
    { ...cloth, options: { selfCollision: true, patches: true }, aim: 120 },
  ];
};

const otherHeats: CostHeat[] = [
  { scene: softCube, parameters: { cells: CELLS }, aim: 60 },
  { scene: squeezingBall, parameters: {}, aim: 150 },
  { scene: sharpCorner, parameters: {}, aim: 300 },
];

/**
 * Bodies choose their dispatches by the adapter's name: those of a GPU are to be counted on any adapter.
 *
 * @returns what takes that back
 */
export function likeGpu(device: GPUDevice): () => void {
  const own = Object.getOwnPropertyDescriptor(device, "adapterInfo");
  const adapterInfo = { vendor: "any", architecture: "GPU", device: "", description: "" };
  Object.defineProperty(device, "adapterInfo", { value: adapterInfo, configurable: true });
  return () => {
    if (own) Object.defineProperty(device, "adapterInfo", own);
    else Reflect.deleteProperty(device, "adapterInfo");
  };
}

/** Counts one scene. */
export async function countHeat(heat: CostHeat, frames: number, device: GPUDevice): Promise<CostRow> {
  const { scene, parameters, options = {}, aim } = heat;
  const counter = new CommandCounter(device);
  const takeBack = likeGpu(device);
  await fusedPart.load();
  const world = await World.create({ backend: "webgpu", device, snapshotInterval: 0 });
  try {
    const values = resolveParameters(scene, parameters);
    const instance = await scene.build(world, values);
    const step = async (given: Partial<GpbdOptions>): Promise<CommandCount> => {
      if (Object.keys(given).length > 0) for (const body of world.bodies) body.setOptions(given);
      instance.beforeStep?.(world.time, numberOf(values, "frameTime"));
      counter.take();
      world.step(numberOf(values, "frameTime"));
      const count = counter.take();
      await world.settled();
      return count;
    };
    const isOne = options.oneDispatch === true;
    // The model of cost knows no surfaces.
    const isFused = isOne || (options.patches === true && !options.selfCollision);
    const stages = await step(isFused ? { ...options, oneDispatch: false, patches: false } : options);
    const input = isFused ? inputOf(world, stages) : undefined;
    const fused = input && frameWork(input);
    if (fused && fused.stages !== total(stages))
      throw new Error(`the model of cost has ${fused.stages} stages, the frame ${total(stages)}`);
    const insideOf = (profile: GpuProfile): number => {
      if (!fused) return 0;
      const alone = { ...profile, dispatch: 0 };
      return isOne ? timeOfOne(fused, alone) : timeOfPatches(fused, input, patchSubsteps(fused, input), alone);
    };
    let count = isFused ? await step(options) : stages;
    for (let frame = isFused ? 2 : 1; frame < frames; frame++) {
      const next = await step({});
      if (total(next) >= total(count)) count = next;
    }
    const modeled = Object.entries(profiles).map(([name, profile]) => [
      name,
      estimate(count, profile, insideOf(profile)),
    ]);
    const { kernels, passes, submits, copies, writes, writtenBytes, setPipeline, setBindGroup, hostCalls, boundBytes } =
      count;
    return {
      scene: scene.name,
      parameters,
      options,
      substeps: numberOf(values, "substeps"),
      frames,
      ...dispatchesOf(count),
      passes,
      submits,
      copies,
      writes,
      writtenBytes,
      setPipeline,
      setBindGroup,
      hostCalls,
      boundBytes,
      ...(aim === undefined ? {} : { aim }),
      ...(fused && { replaced: total(stages), barriers: fused.barriers }),
      modeled: Object.fromEntries(modeled) as Record<ProfileName, number>,
      kernels: Object.fromEntries(
        [...kernels].map(([name, { direct, indirect, workgroups }]) => [name, { direct, indirect, workgroups }]),
      ),
    };
  } finally {
    world.dispose();
    counter.stop();
    takeBack();
  }
}

function total(count: CommandCount): number {
  const { direct, indirect } = dispatchesOf(count);
  return direct + indirect;
}

/** The one body of a scene, from a frame in which each stage was a dispatch. */
function inputOf(world: World, { kernels }: CommandCount): WorkInput {
  const [body] = world.bodies;
  const { particleCount, faces, terms } = body.model as GpbdModel;
  const { substeps, method, airDensity } = body.options as GpbdOptions;
  const touches = kernels.get("gpbd/contact/contact:nearContacts")?.direct ?? 0;
  return {
    particleCount,
    faceCount: faces.length / 3,
    substeps,
    terms: terms.map(({ kind, elementCount, colours }) => {
      const isAtOnce = sweepsAtOnce(method, kind);
      const interval = termInterval(kind, substeps);
      return { isAtOnce, interval, colours: isAtOnce ? Uint32Array.of(0, elementCount) : colours };
    }),
    contactPasses: touches / substeps,
    withFaces: kernels.has("gpbd/contact/face-contact:nearFaceContacts"),
    hasTethers: kernels.has("tethers/tethers:holdTethers"),
    airInterval: airDensity > 0 ? airInterval(substeps) : 0,
  };
}
