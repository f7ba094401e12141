import { PliantError } from "../errors";
import { checkNames, type NamesOf } from "../option-names";
import { describeAdapter, GpuContext, requestContext } from "../gpu/device";
import type { Vec3 } from "../math/types";
import { optionsOfQuality, type RigidQuality } from "../solvers/newton/quality";
import { OptionCheck } from "../solvers/option-check";
import type { Backend } from "./backend/backend";
import { CpuBackend } from "./backend/cpu-backend";
import { Part } from "./backend/part";

export interface WorldOptions {
  /** default `auto`: WebGPU where an adapter exists */
  backend?: "cpu" | "webgpu" | "auto" | undefined;
  /** [m/s²], default [0, −9.81, 0] */
  gravity?: Vec3 | undefined;
  /** a device to share, such as Babylon's; else the world requests one of its own */
  device?: GPUDevice | undefined;
  /** where an own device comes from, default `navigator.gpu` */
  gpu?: GPU | undefined;
  /** time every stage with timestamp queries, where the device can */
  timestamps?: boolean | undefined;
  /**
   * Simulated seconds between automatic snapshots of bodies on the GPU, from which they go on after the device was lost;
   * 0: only `snapshot()` makes one. Default 10.
   */
  snapshotInterval?: number | undefined;
  /**
   * Who solves rigid bodies: "cpu" in f64, poses ready in the same frame; "webgpu" in f32 on the world's device, poses a frame
   * late unless `settled` is awaited, and, while there are deformable bodies of other solvers than Newton's, or a body that somebody
   * leads, as "cpu". "auto", the default, is the CPU.
   */
  rigidLane?: "cpu" | "webgpu" | "auto" | undefined;
  /**
   * When solvers are loaded: "all" of them before the world is made, the default, or each when it is "needed". Then the world takes no
   * step while one is on its way (`whenReadyAsync`), and a page loads less. The default solver of the backend is always there.
   */
  load?: "all" | "needed" | undefined;
  /** Time against penetration where many rigid bodies touch: "fast", "balanced" (default) or "precise"; `rigid.quality`. */
  rigidQuality?: RigidQuality | undefined;
}

const worldOptionNames = {
  backend: true,
  gravity: true,
  device: true,
  gpu: true,
  timestamps: true,
  snapshotInterval: true,
  rigidLane: true,
  load: true,
  rigidQuality: true,
} satisfies NamesOf<WorldOptions>;

/** @throws PliantError `invalid-argument` for an option that there is not, or out of its range */
export function checkWorldOptions(options: WorldOptions): void {
  checkNames("World", options, worldOptionNames);
  const check = new OptionCheck("World", options);
  check.oneOf("backend", ["cpu", "webgpu", "auto"]);
  check.flag("timestamps");
  check.within("snapshotInterval", 0, Number.MAX_VALUE);
  check.oneOf("rigidLane", ["cpu", "webgpu", "auto"]);
  check.oneOf("load", ["all", "needed"]);
  optionsOfQuality("World.rigidQuality", options.rigidQuality ?? "balanced");
}

/** @throws PliantError `no-adapter` when "webgpu" is asked for and there is none */
export async function chooseBackend(options: WorldOptions): Promise<Backend> {
  const choice = options.backend ?? "auto";
  if (choice === "cpu") return new CpuBackend();
  const timestamps = options.timestamps ?? false;
  if (options.device) {
    const info = (options.device as { adapterInfo?: GPUAdapterInfo }).adapterInfo;
    const GpuBackend = await gpuBackend.load();
    return new GpuBackend(new GpuContext(options.device, describeAdapter(info)), timestamps);
  }
  let context: GpuContext;
  try {
    context = await requestContext(gpuOf(options));
  } catch (error) {
    if (choice === "webgpu") throw error;
    return new CpuBackend();
  }
  return new (await gpuBackend.load())(context, timestamps);
}

const gpuBackend = new Part(async () => (await import("./backend/gpu-backend")).GpuBackend);

/** Where an own device comes from. */
export function gpuOf({ gpu }: WorldOptions): GPU | undefined {
  return gpu ?? (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
}

/** @throws PliantError for what is not three finite numbers */
export function checkedGravity(gravity: Vec3): Vec3 {
  if (gravity.length !== 3 || !gravity.every(Number.isFinite))
    throw new PliantError("invalid-argument", "World.gravity", gravity, "must be three finite numbers");
  return [...gravity] as unknown as Vec3;
}
