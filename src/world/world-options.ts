import { checkList } from "../checks";
import { invalid } from "../errors";
import { checkNames, optionNames } from "../option-names";
import { requestAdapter } from "../gpu/adapter";
import type { Vec3 } from "../math/types";
import { optionsOfQuality, type RigidQuality } from "../solvers/newton/quality";
import { OptionCheck } from "../solvers/option-check";
import type { Backend } from "./backend/backend";
import { CpuBackend } from "./backend/cpu-backend";
import { Part } from "../part";

export interface WorldOptions {
  /**
   * The processor that solves deformable bodies, default `auto`: WebGPU if there is an adapter, else the CPU. `cpu` is
   * the CPU: it solves cloth and neo-Hookean soft bodies of the default solver in f32 by WebAssembly SIMD where it can
   * (`DeformableBody.lane`), and all else in f64. `reference` is the CPU in f64 alone, by JavaScript: cloth and soft bodies take ten times as long
   */
  backend?: "cpu" | "reference" | "webgpu" | "auto" | undefined;
  /** [m/s²], default [0, −9.81, 0] */
  gravity?: Vec3 | undefined;
  /** a device to share, such as Babylon's; without it the world requests a device of its own */
  device?: GPUDevice | undefined;
  /** the source of the world's own device, default `navigator.gpu` */
  gpu?: GPU | undefined;
  /** whether to time every stage with timestamp queries, if the device supports them */
  timestamps?: boolean | undefined;
  /**
   * Simulated seconds between automatic snapshots of bodies on the GPU. After a loss of the device the bodies continue
   * from the last snapshot. 0: only `snapshot()` takes snapshots. Default 10.
   */
  snapshotInterval?: number | undefined;
  /**
   * The processor that solves rigid bodies. "cpu" solves in f64, and poses are ready in the same frame. "webgpu" solves
   * in f32 on the world's device, and poses come a frame late unless `settled` is awaited; it works as "cpu" while the
   * world has deformable bodies of other solvers than Newton's, or a body that a leader moves. "auto", the default, is
   * the CPU.
   */
  rigidLane?: "cpu" | "webgpu" | "auto" | undefined;
  /**
   * The time when solvers are loaded: "all" loads all of them before the world is made, and is the default; "needed"
   * loads each when the world first needs it. With "needed" the world takes no step while a solver is loading
   * (`whenReadyAsync`), and a page loads less. The default solver of the backend is always loaded.
   */
  load?: "all" | "needed" | undefined;
  /**
   * Trade-off between time and penetration if many rigid bodies touch: "fast", "balanced" (default) or "precise"; see
   * `rigid.quality`.
   */
  rigidQuality?: RigidQuality | undefined;
}

const worldOptionNames = optionNames<WorldOptions>()(
  "backend gravity device gpu timestamps? snapshotInterval rigidLane load rigidQuality",
);

/** @throws PliantError `invalid-argument` for an unknown option, or for a value out of its range */
export function checkWorldOptions(options: WorldOptions): void {
  checkNames("World", options, worldOptionNames);
  const check = new OptionCheck("World", options);
  check.oneOf("backend", ["cpu", "reference", "webgpu", "auto"]);
  check.within("snapshotInterval", 0, Number.MAX_VALUE);
  check.oneOf("rigidLane", ["cpu", "webgpu", "auto"]);
  check.oneOf("load", ["all", "needed"]);
  optionsOfQuality("World.rigidQuality", options.rigidQuality ?? "balanced");
}

/** @throws PliantError `no-adapter` if "webgpu" is asked for and there is no adapter */
export async function chooseBackend(options: WorldOptions): Promise<Backend> {
  const choice = options.backend ?? "auto";
  if (choice === "cpu" || choice === "reference") return new CpuBackend(choice);
  const timestamps = options.timestamps ?? false;
  if (options.device) return (await gpuBackend.load()).of(options.device, timestamps);
  const without = (error: unknown): undefined => {
    if (choice === "webgpu") throw error;
  };
  const adapter = await requestAdapter(gpuOf(options)).catch(without);
  const onGpu = adapter && (await (await gpuBackend.load()).request(adapter, timestamps).catch(without));
  return onGpu ?? new CpuBackend("cpu");
}

const gpuBackend = new Part(async () => (await import("./backend/gpu-backend")).GpuBackend);

/** The source of the world's own device. */
export function gpuOf({ gpu }: WorldOptions): GPU | undefined {
  return gpu ?? (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
}

/** @throws PliantError for anything but three finite numbers */
export function checkedGravity(gravity: Vec3): Vec3 {
  checkList(gravity, "World.gravity");
  if (gravity.length !== 3 || !gravity.every(Number.isFinite))
    throw invalid("World.gravity", gravity, "must be three finite numbers");
  return [...gravity] as unknown as Vec3;
}
