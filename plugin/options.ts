import { checkNames, optionNames } from "../src/option-names";
import type { WorldOptions } from "../src/index";
import { OptionCheck } from "../src/solvers/option-check";

/** Options of a `PliantPlugin`. */
export interface PliantPluginOptions extends Pick<
  WorldOptions,
  "gpu" | "timestamps" | "snapshotInterval" | "rigidQuality"
> {
  /**
   * The processor that simulates cloth: `webgpu` a GPU, `cpu` the CPU, `auto` (default) a GPU if there is one.
   * `reference` is the CPU in double precision throughout, which `cpu` takes where single precision is no faster.
   */
  backend?: "auto" | "webgpu" | "cpu" | "reference";
  /**
   * Takes one step per frame, as long as the frame, instead of fixed steps of `getTimeStep()`. Fabric then behaves a
   * little differently at every frame rate. Default false.
   */
  useDeltaForWorldStep?: boolean;
  /**
   * Most fixed steps in a frame; if more are due, the scene runs in slow motion. Default: as many as fit into Babylon's
   * longest frame of 0.1 s, six of a sixtieth. With a lower limit, a machine that is too slow for its physics draws
   * more frames.
   */
  maxStepsPerFrame?: number;
  /**
   * Units of the scene in a meter: 100 for a scene in centimeters, whose gravity is 981. Places, sizes, velocities,
   * forces and all other values of Babylon are then in units of the scene, and so are lengths and velocities of
   * Pliant's options (`thickness`, `radius`, `wind`). Materials, pressure and volume stay in SI units, and the engine's
   * own `world` in meters. Default 1.
   */
  worldScale?: number;
  /**
   * Most corners of a `PhysicsShapeType.CONVEX_HULL`, at least 4. If the hull has more, the shape consists of the
   * corners that stick out most, and lies inside of the full hull. 64 are enough for most meshes and cost a fraction of
   * thousands. Default: all.
   */
  maxHullVertices?: number;
  /**
   * The time when the code of solvers is loaded: "all" loads everything before the plugin is ready. "needed" loads each
   * part when the first dynamic body, joint, or cloth of another solver than the default one needs it; the scene takes
   * no step until the code is loaded, see `whenReadyAsync`. Default: "needed" if the engine draws to a canvas, which
   * keeps the page small; otherwise "all".
   */
  load?: "all" | "needed";
  /**
   * The processor that solves rigid bodies and joints. The `cpu` (default, also as `auto`) solves them in double
   * precision, with poses of the same frame. The GPU of backend `webgpu` is for thousands of bodies; Babylon then gets
   * poses a frame late. While there is cloth, a soft body of another solver than `newton`, or a mechanism, the CPU
   * solves them.
   */
  rigidLane?: "auto" | "cpu" | "webgpu";
}

export const pluginOptionNames = optionNames<PliantPluginOptions>()(`
  backend gpu timestamps? snapshotInterval useDeltaForWorldStep? maxStepsPerFrame worldScale maxHullVertices load
  rigidLane rigidQuality
`);

/** @throws PliantError for an unknown option, or a value out of its range; the world checks its own options */
export function checkPluginOptions(options: PliantPluginOptions): void {
  checkNames("PliantPlugin", options, pluginOptionNames);
  const check = new OptionCheck("PliantPlugin", options);
  check.within("worldScale", Number.MIN_VALUE, Number.MAX_VALUE);
  if (options.maxStepsPerFrame !== Infinity) check.within("maxStepsPerFrame", 1, Number.MAX_SAFE_INTEGER, true);
  check.within("maxHullVertices", 4, Number.MAX_SAFE_INTEGER, true);
  check.oneOf("load", ["all", "needed"]);
}
