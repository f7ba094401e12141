import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothDragBehavior, PliantPlugin } from "../../plugin/index";
import { numberOf } from "../parameters";
import type { ParameterValue, ParameterValues, SceneDefinition, SceneInstance } from "../scene";
import type { Backend, SurfaceView } from "./query";
import { createStage, type Stage } from "./stage";
import { Cloths } from "./cloths";
import { CostCurve } from "./cost-curve";
import { Drawing } from "./drawing";
import { figuresIn } from "./figures";
import { HandleDrag } from "./handle-drag";
import { propMaterial } from "./looks";
import { taskWorker } from "./task-worker";

export interface SessionOptions {
  readonly definition: SceneDefinition;
  readonly values: ParameterValues;
  readonly backend: Backend;
  readonly shadowSize: number;
  /** time the solver's passes on the GPU */
  readonly timestamps: boolean;
}

/** Most steps in flight on the GPU: more would only pile up, and the page would stop responding. */
const MOST_PENDING = 2;

/** A scene that runs in the page: a Babylon scene with the plugin, and the bodies of a definition in its world. */
export class Session {
  /** duration of the last step on this thread, ms */
  stepMs = 0;
  measuring = false;
  /** resolves when the scene has examined the last step; undefined if it examines nothing, or has finished */
  looking: Promise<void> | undefined;
  private pending = 0;

  private constructor(
    readonly definition: SceneDefinition,
    readonly stage: Stage,
    readonly plugin: PliantPlugin,
    readonly instance: SceneInstance,
    private readonly cloths: Cloths,
    private readonly drawing: Drawing,
    private readonly frameTime: number,
    private readonly values: Record<string, ParameterValue>,
    private readonly curve: CostCurve | undefined,
    private readonly stopBackground: () => void,
  ) {}

  /** @throws PliantError if the backend is missing, or if the engine refuses the scene */
  static async create(engine: AbstractEngine, options: SessionOptions): Promise<Session> {
    const { definition } = options;
    const values = { ...options.values };
    const plugin = await PliantPlugin.CreateAsync(engine, {
      load: "all",
      backend: options.backend,
      timestamps: options.timestamps,
    });
    const stage = createStage(engine, {
      view: definition.view,
      groundHeight: definition.groundHeight,
      shadowSize: options.shadowSize,
    });
    const worker = taskWorker();
    try {
      stage.scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
      // The page steps the physics itself, so that it can pause and count frames.
      stage.scene.physicsEnabled = false;
      const frameTime = numberOf(values, "frameTime");
      plugin.setTimeStep(frameTime);
      const cloths = new Cloths(stage);
      const figures = figuresIn(stage.scene, plugin, (mesh, { material }) => {
        mesh.material = propMaterial(material, stage.scene);
        mesh.receiveShadows = true;
        stage.shadows.addShadowCaster(mesh);
      });
      const instance = await definition.build(plugin.world, values, cloths.make, worker.run, figures);
      const drawing = new Drawing(instance, stage);
      stage.camera.addBehavior(new ClothDragBehavior());
      const { handles, optimisation } = instance;
      const drag = handles === undefined ? undefined : new HandleDrag(stage.camera, handles);
      const curve = optimisation === undefined ? undefined : new CostCurve(optimisation);
      const stop = (): void => {
        drag?.dispose();
        curve?.dispose();
        instance.dispose?.();
        worker.dispose();
      };
      return new Session(definition, stage, plugin, instance, cloths, drawing, frameTime, values, curve, stop);
    } catch (error) {
      worker.dispose();
      stage.scene.dispose();
      throw error;
    }
  }

  /** Whether the GPU has enough queued work. */
  get busy(): boolean {
    return this.pending >= MOST_PENDING;
  }

  /** Advances the scene by one frame of simulated time; false while the scene still examines the last step. */
  step(): boolean {
    if (this.looking !== undefined) return false;
    const { world } = this.plugin;
    const start = performance.now();
    this.instance.beforeStep?.(world.time, this.frameTime);
    this.stage.scene._advancePhysicsEngineStep(1000 * this.frameTime);
    this.drawing.update();
    this.curve?.update();
    this.stepMs = performance.now() - start;
    this.pending++;
    void world.settled().finally(() => this.pending--);
    if (this.measuring || this.instance.steer)
      this.looking = this.look(world.frame).finally(() => (this.looking = undefined));
    return true;
  }

  private async look(frame: number): Promise<void> {
    await this.instance.steer?.();
    if (this.measuring) await this.instance.afterStep?.(frame);
  }

  /** Changes a parameter that the scene reads at every step. */
  change(name: string, value: ParameterValue): void {
    this.values[name] = value;
  }

  /** @param scale elongation that is drawn as full red */
  showView(view: SurfaceView, scale: number): void {
    this.cloths.showView(view, scale);
    this.drawing.showView(view, scale);
  }

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

  /** Resolves when all steps are done and the picture shows the last one. */
  async settled(): Promise<void> {
    const { world } = this.plugin;
    await world.settled();
    this.curve?.update();
    const { strands = [], softs = [] } = this.instance;
    for (const { body } of [...strands, ...softs]) await body.readPositions();
    this.drawing.update();
  }

  dispose(): void {
    this.stopBackground();
    this.stage.scene.dispose();
  }
}
