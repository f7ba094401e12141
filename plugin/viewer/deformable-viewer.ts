import { UtilityLayerRenderer } from "@babylonjs/core/Rendering/utilityLayerRenderer";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, PliantError } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { requireAggregate, requireKind } from "../plugin-of";
import { type DeformableViewerOptions, ShownBody } from "./shown-body";

const viewerOptionNames = optionNames<DeformableViewerOptions>()("particles? edges? strain");

/**
 * Draws what is simulated of cloth, soft bodies and ropes over the scene: particles, pins, and edges with their strain. A mesh may be much
 * finer than that. It is for deformable bodies what Babylon's `PhysicsViewer` is for rigid ones, which draws those of Pliant, too.
 *
 * @example
 * ```ts
 * const viewer = new DeformableViewer(scene);
 * viewer.show(cloth);
 * ```
 */
export class DeformableViewer {
  /** has what is drawn in a scene of its own */
  readonly utilityLayer: UtilityLayerRenderer;
  private readonly shown = new Map<DeformableAggregate, ShownBody>();
  private readonly stop: () => void;

  /** @throws PliantError for anything but a scene */
  constructor(scene: Scene) {
    requireKind("DeformableViewer", scene, "getPhysicsEngine", "a scene");
    this.utilityLayer = new UtilityLayerRenderer(scene, false);
    this.utilityLayer.pickUtilitySceneFirst = false;
    this.utilityLayer.utilityLayerScene.autoClearDepthAndStencil = true;
    const drawing = scene.onBeforeRenderObservable.add(() => {
      for (const body of this.shown.values()) body.follow();
    });
    const disposal = scene.onDisposeObservable.add(() => this.dispose());
    this.stop = () => {
      scene.onBeforeRenderObservable.remove(drawing);
      scene.onDisposeObservable.remove(disposal);
    };
  }

  /**
   * Draws a body from now on, until it is hidden or disposed of.
   *
   * @throws PliantError for anything but an aggregate, an unknown option, a strain that is not positive, or an aggregate that is disposed
   */
  show(aggregate: DeformableAggregate, options: DeformableViewerOptions = {}): void {
    checkNames("DeformableViewer.show", options, viewerOptionNames);
    const { particles = true, edges = true, strain = 0.05 } = options;
    if (!(strain > 0)) throw invalid("DeformableViewer.strain", strain, "must be positive");
    requireAggregate("DeformableViewer.show", aggregate);
    if (aggregate.isDisposed)
      throw new PliantError("disposed", "DeformableViewer.show", aggregate.kind, "was disposed");
    this.hide(aggregate);
    const body = new ShownBody(this.utilityLayer.utilityLayerScene, aggregate, { particles, edges, strain });
    this.shown.set(aggregate, body);
    aggregate.onDisposeObservable.addOnce(() => this.hide(aggregate));
  }

  /** @throws PliantError for anything but an aggregate; one that is not shown stays so */
  hide(aggregate: DeformableAggregate): void {
    requireAggregate("DeformableViewer.hide", aggregate);
    this.shown.get(aggregate)?.dispose();
    this.shown.delete(aggregate);
  }

  dispose(): void {
    this.stop();
    for (const body of this.shown.values()) body.dispose();
    this.shown.clear();
    this.utilityLayer.dispose();
  }
}
