import { checkNames, type NamesOf } from "../src/option-names";
import { OptionCheck } from "../src/solvers/option-check";

/** How a `PliantPlugin` is made. */
export interface PliantPluginOptions {
  /**
   * Where cloth is simulated: `webgpu` on a GPU, `cpu` in double precision, `auto` (default) on a GPU where there is one.
   */
  backend?: "auto" | "webgpu" | "cpu";
  /** Where a device comes from when the engine has none to share; default `navigator.gpu`. For Node. */
  gpu?: GPU;
  /** Measures every pass where the device can, for `world.gpuTime()`. Default false. */
  timestamps?: boolean;
  /** Seconds of simulated time between the snapshots that a lost device is replaced from; 0 for none. Default 10. */
  snapshotInterval?: number;
  /**
   * Steps once a frame by the frame time, instead of by fixed steps of `getTimeStep()`. Fabric then behaves a little
   * differently at every frame rate. Default false.
   */
  useDeltaForWorldStep?: boolean;
  /**
   * Most fixed steps in a frame; beyond that the scene runs in slow motion. Default: as many as Babylon's longest frame of 0.1 s holds,
   * six of a sixtieth. With fewer a machine that is too slow for its physics draws more frames of it.
   */
  maxStepsPerFrame?: number;
  /**
   * Units of the scene in a metre: 100 for a scene in centimetres, whose gravity is 981. Places, sizes, velocities, forces and all else of
   * Babylon's are in units of the scene then, and so are lengths and velocities of Pliant's options (`thickness`, `radius`, `wind`);
   * materials, pressure and volume stay in SI units, and the engine's own `world` in metres. Default 1.
   */
  worldScale?: number;
  /**
   * Most corners, at least 4, of a `PhysicsShapeType.CONVEX_HULL`: of more those that stick out most make the shape, which lies inside of
   * the full hull then. 64 are enough for most meshes and cost a fraction of thousands. Default: all.
   */
  maxHullVertices?: number;
  /**
   * When the code of solvers is loaded: "all" of it before the plugin is there, or each when it is "needed", for the first dynamic body,
   * joint, or cloth of another solver than the default one. The scene then takes no step until it is here, see `whenReadyAsync`.
   * Default: "needed" where the engine draws to a canvas, which keeps the page small; "all" elsewhere.
   */
  load?: "all" | "needed";
  /**
   * The `cpu` (default, also as `auto`) solves rigid bodies and joints in double precision, with poses of the same frame. The GPU of backend
   * `webgpu` is for thousands of them; Babylon reads poses a frame late then. While there is cloth, a soft body of another solver than
   * `newton`, or a mechanism, the CPU solves them.
   */
  rigidLane?: "auto" | "cpu" | "webgpu";
  /** Time against penetration where many rigid bodies touch: "fast", "balanced" (default) or "precise". */
  rigidQuality?: "fast" | "balanced" | "precise";
}

export const pluginOptionNames = {
  backend: true,
  gpu: true,
  timestamps: true,
  snapshotInterval: true,
  useDeltaForWorldStep: true,
  maxStepsPerFrame: true,
  worldScale: true,
  maxHullVertices: true,
  load: true,
  rigidLane: true,
  rigidQuality: true,
} satisfies NamesOf<PliantPluginOptions>;

/** @throws PliantError for an option that there is not, or out of its range; the world checks those that are its own */
export function checkPluginOptions(options: PliantPluginOptions): void {
  checkNames("PliantPlugin", options, pluginOptionNames);
  const check = new OptionCheck("PliantPlugin", options);
  check.flag("useDeltaForWorldStep");
  check.within("worldScale", Number.MIN_VALUE, Number.MAX_VALUE);
  if (options.maxStepsPerFrame !== Infinity) check.within("maxStepsPerFrame", 1, Number.MAX_SAFE_INTEGER, true);
  check.within("maxHullVertices", 4, Number.MAX_SAFE_INTEGER, true);
  check.oneOf("load", ["all", "needed"]);
}
