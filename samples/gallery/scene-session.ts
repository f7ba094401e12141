import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { ClothDragBehavior, PliantPlugin } from "../../plugin/index";
import { resolveParameters } from "../parameters";
import type { ParameterValue, SceneDefinition, SceneInstance } from "../scene";
import type { SurfaceView } from "./query";
import type { Studio } from "../../site/examples/studio";
import { createStage } from "./stage";
import { Cloths } from "./cloths";
import { CostCurve } from "./cost-curve";
import { Drawing } from "./drawing";
import { figuresIn } from "./figures";
import { HandleDrag } from "./handle-drag";
import { propMaterial } from "./looks";
import { Session, type Playable, type SessionOptions } from "./session";
import { taskWorker } from "./task-worker";

/** A scene as an entry of the gallery. */
export function playableScene(definition: SceneDefinition): Playable {
  return {
    ...definition,
    about: "The file of this scene. It builds bodies in a World; the gallery draws them.",
    alone: undefined,
    start: (engine, options) => SceneSession.create(engine, definition, options),
  };
}

/** A Babylon scene with the plugin, and the bodies of a definition in its world. */
class SceneSession extends Session {
  private constructor(
    definition: SceneDefinition,
    stage: Studio,
    plugin: PliantPlugin,
    private readonly instance: SceneInstance,
    private readonly cloths: Cloths,
    private readonly drawing: Drawing,
    values: Record<string, ParameterValue>,
    private readonly curve: CostCurve | undefined,
    private readonly stopBackground: () => void,
  ) {
    super(stage.scene, stage.camera, plugin, definition.parameters, values);
  }

  static async create(
    engine: AbstractEngine,
    definition: SceneDefinition,
    { settings, backend, timestamps }: SessionOptions,
  ): Promise<Session> {
    const values = { ...resolveParameters(definition, settings) };
    const plugin = await PliantPlugin.CreateAsync(engine, { load: "all", backend, timestamps });
    const stage = await createStage(engine, definition);
    const worker = taskWorker();
    try {
      stage.scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
      const cloths = new Cloths(stage);
      const figures = figuresIn(stage.scene, plugin, (mesh, { material }) => {
        stage.show(propMaterial(material, stage.scene), mesh);
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
      return new SceneSession(definition, stage, plugin, instance, cloths, drawing, values, curve, stop);
    } catch (error) {
      worker.dispose();
      stage.scene.dispose();
      throw error;
    }
  }

  change(name: string, value: ParameterValue): void {
    this.values[name] = value;
  }

  showView(view: SurfaceView, scale: number): void {
    this.cloths.showView(view, scale);
    this.drawing.showView(view, scale);
  }

  measure(): Promise<Record<string, number>> {
    return this.instance.measure();
  }

  override async prepared(): Promise<void> {
    await this.instance.optimisation?.finished;
  }

  override async settled(): Promise<void> {
    await super.settled();
    this.curve?.update();
    const { strands = [], softs = [] } = this.instance;
    for (const { body } of [...strands, ...softs]) await body.readPositions();
    this.drawing.update();
  }

  override dispose(): void {
    this.stopBackground();
    super.dispose();
  }

  protected override beforeStep(): void {
    this.instance.beforeStep?.(this.plugin.world.time, this.frameTime);
  }

  protected override afterStep(): void {
    this.drawing.update();
    this.curve?.update();
  }

  protected override look(frame: number): Promise<void> | undefined {
    const { instance, measuring } = this;
    if (!measuring && !instance.steer) return undefined;
    return (async () => {
      await instance.steer?.();
      if (measuring) await instance.afterStep?.(frame);
    })();
  }
}
