import type { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Scene } from "@babylonjs/core/scene";
import type { PliantPlugin } from "../../plugin/index";
import { numberOf } from "../parameters";
import type { Metric, Parameter, ParameterValue, ParameterValues } from "../scene";
import type { Backend, SurfaceView } from "./query";

export interface SessionOptions {
  /** parameters that are set; others have their defaults */
  readonly settings: Readonly<Record<string, ParameterValue>>;
  readonly backend: Backend;
  /** time the solver's passes on the GPU */
  readonly timestamps: boolean;
}

/** An entry of the gallery: a scene or a showcase. */
export interface Playable {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly metrics: readonly Metric[];
  /** frames of a run */
  readonly frames: number;
  /** undefined if only a session knows them */
  readonly parameters: readonly Parameter[] | undefined;
  /** text above its code */
  readonly about: string;
  /** address of a page that shows it alone; undefined if there is none */
  readonly alone: string | undefined;
  /** @throws PliantError for an unknown setting or one out of range, a missing backend, or what the engine refuses */
  start(engine: AbstractEngine, options: SessionOptions): Promise<Session>;
}

/** A button of the panel. */
export interface Action {
  readonly name: string;
  press(): void;
}

/** Most steps in flight on the GPU: more would only pile up, and the page would stop responding. */
const MOST_PENDING = 2;

/** A running scene of the gallery. The page steps the physics itself, so that it can pause and count frames. */
export abstract class Session {
  /** duration of the last step on this thread, ms */
  stepMs = 0;
  measuring = false;
  /** resolves when the scene has examined the last step; undefined if it examines nothing, or has finished */
  looking: Promise<void> | undefined;
  readonly actions: readonly Action[] = [];
  protected readonly frameTime: number;
  private pending = 0;

  protected constructor(
    readonly scene: Scene,
    readonly camera: ArcRotateCamera,
    readonly plugin: PliantPlugin,
    readonly parameters: readonly Parameter[],
    protected readonly values: Record<string, ParameterValue>,
  ) {
    this.frameTime = numberOf(values, "frameTime");
    scene.physicsEnabled = false;
    plugin.setTimeStep(this.frameTime);
  }

  /** Whether the GPU has enough queued work. */
  get busy(): boolean {
    return this.pending >= MOST_PENDING;
  }

  get present(): ParameterValues {
    return this.values;
  }

  /** Advances the scene by one frame of simulated time; false while the scene still examines the last step. */
  step(): boolean {
    if (this.looking !== undefined) return false;
    const { world } = this.plugin;
    const start = performance.now();
    this.beforeStep();
    this.scene._advancePhysicsEngineStep(1000 * this.frameTime);
    this.afterStep();
    this.stepMs = performance.now() - start;
    this.pending++;
    void world.settled().finally(() => this.pending--);
    this.looking = this.look(world.frame)?.finally(() => (this.looking = undefined));
    return true;
  }

  /** Changes a parameter that the scene reads at every step. */
  abstract change(name: string, value: ParameterValue): void;

  /** @param scale elongation that is drawn as full red */
  abstract showView(view: SurfaceView, scale: number): void;

  /** Values of the metrics, by name. */
  abstract measure(): Promise<Readonly<Record<string, number>>>;

  get particles(): number {
    return this.plugin.world.bodies.reduce((sum, body) => sum + body.particleCount, 0);
  }

  get triangles(): number {
    return this.plugin.world.bodies.reduce((sum, body) => sum + body.model.faces.length / 3, 0);
  }

  /** Sum of all passes of the last measured step, ms; undefined without timestamps. */
  async gpuMs(): Promise<number | undefined> {
    const passes = await this.plugin.world.gpuTime();
    return passes === undefined ? undefined : Object.values(passes).reduce((sum, ms) => sum + ms, 0);
  }

  /** Resolves when work has ended that a run waits for before its first step. */
  async prepared(): Promise<void> {}

  /** Resolves when all steps are done and the picture shows the last one. */
  async settled(): Promise<void> {
    await this.plugin.world.settled();
  }

  dispose(): void {
    this.scene.dispose();
  }

  protected beforeStep(): void {}

  protected afterStep(): void {}

  /** Examines a step; undefined if there is nothing to examine. */
  protected look(_frame: number): Promise<void> | undefined {
    return undefined;
  }
}
