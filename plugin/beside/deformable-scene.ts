import type { Observer } from "@babylonjs/core/Misc/observable";
import { type IPhysicsEnginePluginV2, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import type { Scene } from "@babylonjs/core/scene";
import { invalid } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { requireKind } from "../plugin-of";
import type { RigidBody } from "../../src/world/rigid/rigid-body";
import { pluginOptionNames, type PliantPluginOptions } from "../options";
import { ClothPlugin } from "../cloth-plugin";
import { hasPosition } from "../deformable/leading-body";
import { deformableScenes } from "../scene-frame";
import { ForeignBody, shapeOfForeign, takeToNode, type ForeignPlugin } from "./foreign-body";

export interface DeformableSceneOptions extends PliantPluginOptions {
  /**
   * the plugin that moves the scene's rigid bodies: `HavokPlugin`, or any other plugin for the second version of
   * Babylon's physics
   */
  rigid: IPhysicsEnginePluginV2;
}

/** Replaces a method of a plugin; the returned function restores it. */
function override<K extends "executeStep" | "initBody" | "setMotionType">(
  plugin: ForeignPlugin,
  name: K,
  by: (old: ForeignPlugin[K]) => ForeignPlugin[K],
): () => void {
  const old = plugin[name];
  plugin[name] = by(old.bind(plugin) as ForeignPlugin[K]);
  return () => (plugin[name] = old);
}

const sceneOptionNames = optionNames<DeformableSceneOptions>()("rigid", pluginOptionNames);

/**
 * Cloth in a scene whose rigid bodies another plugin moves. In each step of the other plugin, its bodies are represented by bodies of the engine, which follow them. The bodies
 * of the other plugin get the impulses of contacts, so cloth pushes them. Nothing else in the scene changes.
 *
 * @example
 * ```ts
 * scene.enablePhysics(new Vector3(0, -9.81, 0), havokPlugin);
 * await DeformableScene.CreateAsync(scene, { rigid: havokPlugin });
 * new ClothAggregate(mesh, { fabric: "silk" }, scene);
 * ```
 */
export class DeformableScene {
  private readonly bodies = new Map<PhysicsBody, ForeignBody[]>();
  private readonly gone: Observer<Scene>;
  private readonly restore: readonly (() => void)[];
  private disposed = false;

  private constructor(
    readonly scene: Scene,
    /** steps the cloth; its world may also be used directly */
    readonly plugin: ClothPlugin,
    private readonly rigid: ForeignPlugin,
  ) {
    deformableScenes.set(scene, plugin);
    plugin._beside = this;
    plugin.onBeforeStepObservable.add(() => this.beforeStep());
    this.restore = [
      // Babylon does not report the length of a step, and without a frame loop it steps without the scene's
      // observables.
      override(rigid, "executeStep", (executeStep) => (delta, bodies) => {
        // Before the bodies move: deformable bodies meet them on their way from here.
        this.refresh(bodies);
        for (const parts of this.bodies.values()) for (const part of parts) part.begin();
        executeStep(delta, bodies);
        this.step(rigid._useDeltaForWorldStep === false ? rigid.getTimeStep() : delta);
      }),
      override(rigid, "initBody", (initBody) => (body, motionType, position, orientation) => {
        if (motionType === PhysicsMotionType.DYNAMIC) plugin._refuseDynamic(hasPosition(position), false);
        initBody(body, motionType, position, orientation);
      }),
      override(rigid, "setMotionType", (setMotionType) => (body, motionType, index) => {
        if (motionType === PhysicsMotionType.DYNAMIC && body.numInstances === 0)
          plugin._refuseDynamic((node) => node === body.transformNode, false);
        setMotionType(body, motionType, index);
      }),
    ];
    this.gone = scene.onDisposeObservable.add(() => this.dispose());
  }

  /**
   * @throws PliantError `invalid-argument` if `rigid` is not the scene's physics plugin or the scene already has a
   * `DeformableScene`; also as `PliantPlugin.CreateAsync`
   */
  static async CreateAsync(scene: Scene, options: DeformableSceneOptions): Promise<DeformableScene> {
    requireKind("DeformableScene", scene, "getPhysicsEngine", "a scene");
    checkNames("DeformableScene", options, sceneOptionNames);
    const { rigid, ...rest } = options;
    const current = scene.getPhysicsEngine()?.getPhysicsPlugin();
    if (current !== rigid || rigid instanceof ClothPlugin)
      throw invalid(
        "DeformableScene.rigid",
        rigid?.name ?? rigid,
        "must be another plugin that the scene's physics is enabled with",
      );
    if (deformableScenes.has(scene)) throw invalid("DeformableScene", rigid.name, "exists for this scene already");
    // The cloth takes one step for each step of the bodies, of the same length.
    const plugin = await ClothPlugin.CreateAsync(scene.getEngine(), { useDeltaForWorldStep: true, ...rest });
    return new DeformableScene(scene, plugin, rigid);
  }

  /** @internal number of bodies of the engine that represent bodies of the other plugin */
  get bodyCount(): number {
    return [...this.bodies.values()].reduce((sum, parts) => sum + parts.length, 0);
  }

  /** @internal the body of the engine that represents a body of the other plugin */
  rigidBodyOf(body: PhysicsBody, instance = 0): RigidBody | undefined {
    if (!body.isDisposed && !this.bodies.has(body)) this.note(body, Math.max(1, body.numInstances));
    return this.bodies.get(body)?.[instance]?.made;
  }

  /** @internal bodies are made anew in the next step */
  _originMoved(): void {
    for (const body of [...this.bodies.keys()]) this.forget(body);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    deformableScenes.delete(this.scene);
    for (const undo of this.restore) undo();
    this.scene.onDisposeObservable.remove(this.gone);
    for (const body of [...this.bodies.keys()]) this.forget(body);
    this.plugin.dispose();
  }

  /** Steps the cloth after the other plugin has moved its bodies by a step of `dt` seconds. */
  private step(dt: number): void {
    const { gravity } = this.scene.getPhysicsEngine() as PhysicsEngine;
    this.plugin._problems.attempt(
      undefined,
      () => {
        if (!gravity.equals(this.plugin.getGravity())) this.plugin.setGravity(gravity);
      },
      this.gone,
    );
    this.plugin.executeStep(dt, []);
    for (const [body, parts] of this.bodies) {
      let isElsewhere = false;
      for (const part of parts) if (part.settle()) isElsewhere = true;
      if (isElsewhere) takeToNode(this.rigid, body);
    }
  }

  private beforeStep(): void {
    for (const [body, parts] of this.bodies)
      for (const part of parts) this.plugin._problems.attempt(body, () => part.follow(), part);
  }

  /** Updates bodies and shapes that came, went or changed. */
  private refresh(bodies: readonly PhysicsBody[]): void {
    const present = new Set(bodies);
    for (const body of this.bodies.keys()) if (!present.has(body)) this.forget(body);
    for (const body of bodies) {
      const count = Math.max(1, body.numInstances);
      const known = this.bodies.get(body);
      if (known?.length === count && known[0].shape === body.shape) continue;
      this.forget(body);
      this.plugin._problems.attempt(body, () => this.note(body, count));
    }
  }

  private note(body: PhysicsBody, count: number): void {
    const shape = body.shape && shapeOfForeign(this.rigid, body);
    if (!shape) return;
    const index = (i: number): number | undefined => (body.numInstances > 0 ? i : undefined);
    const parts = Array.from(
      { length: count },
      (_, i) => new ForeignBody(this.plugin, this.rigid, body, body.shape, shape, index(i)),
    );
    this.bodies.set(body, parts);
  }

  private forget(body: PhysicsBody): void {
    for (const part of this.bodies.get(body) ?? []) part.dispose();
    this.bodies.delete(body);
  }
}
