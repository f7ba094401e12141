/** Pliant for Babylon.js: deformable bodies in a scene, colliding with its physics bodies. @module babylon-pliant */

// This module patches `scene.enablePhysics` into Babylon, so that users need not import it.
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent";

export { ClothPlugin } from "./cloth-plugin";
export { PliantPlugin } from "./pliant-plugin";
export type { PliantPluginOptions } from "./options";
export { ClothAggregate } from "./cloth/cloth-aggregate";
export type { ClothMotionOptions, ClothOptions } from "./cloth/cloth-options";
export {
  ClothMaps,
  readVertexMap,
  type ClothMapSources,
  type VertexMap,
  type VertexMapOptions,
} from "./cloth/cloth-maps";
export { ClothRange, type ClothRangeOptions } from "./cloth/cloth-range";
export { SoftBodyAggregate } from "./soft-body/soft-body-aggregate";
export type { SoftBodyMaterial, SoftBodyOptions } from "./soft-body/soft-body-options";
export { RopeAggregate } from "./rope/rope-aggregate";
export type { RopeAttachment, RopeOptions, RopePath } from "./rope/rope-options";
export { SkeletonAggregate } from "./skeleton/skeleton-aggregate";
export type { SkeletonOptions } from "./skeleton/skeleton-options";
export type { AttachmentCarrier, VertexAttachment } from "./deformable/carrier";
export type { BodyCost } from "./deformable/body-cost";
export type { DeformableOptions, LevelOfDetail, MotionOptions } from "./deformable/motion-options";
export type { BlastFalloff } from "./deformable/push-methods";
export type { DeformableDisposeOptions } from "./deformable/deformable-aggregate";
export type { VertexChoice, VertexPredicate } from "./deformable/find-points";
export type { ClothSide } from "./cloth/border";
export { DeformableScene, type DeformableSceneOptions } from "./beside/deformable-scene";
export { ArticulationAggregate, type Reach, type ReachGoal } from "./articulation/articulation-aggregate";
export { describeHierarchy } from "./articulation/describe-hierarchy";
export type { ArticulationOptions, HierarchyLink } from "./articulation/articulation-options";
export type { PhysicsProblem } from "./events/problems";
export { CharacterController } from "./character/character-controller";
export { AttachmentAggregate, type SceneAttachmentOptions } from "./attachment";
export { BakedMotion } from "./baked/baked-motion";
export { MotionRecorder, type MotionRecorderOptions } from "./baked/motion-recorder";
export type { MotionPlayback, MotionPlaybackOptions } from "./baked/motion-playback";
export { CableAggregate, type BodyCablePlace, type SceneCableOptions, type SceneCablePlace } from "./cable";
export { DeformableInspector } from "./viewer/deformable-inspector";
export { DeformableViewer } from "./viewer/deformable-viewer";
export type { DeformableViewerOptions } from "./viewer/shown-body";
export { SmoothMesh, type SmoothMeshOptions } from "./viewer/smooth-mesh";
export { SceneWind, type SceneWindShelter, type SceneWindZone } from "./wind/scene-wind";
export type {
  SceneTurbulenceOptions,
  SceneWindEventOptions,
  SceneWindOptions,
  SceneWindShelterOptions,
  SceneWindZoneOptions,
} from "./wind/wind-options";
export { ClothDragBehavior, type ClothDragOptions } from "./pointer-drag";
export {
  defineEnergy,
  DeformableBody,
  Fabric,
  fabrics,
  filesFrom,
  filesIn,
  loadMjcf,
  loadMsh,
  loadSkel,
  loadTetgen,
  loadUrdf,
  loadVtk,
  PliantError,
  World,
  type DefinedEnergy,
  type EnergyDefinition,
  type FabricCurves,
  type FabricName,
  type InverseKinematicsOptions,
  type LinkSensor,
  type PinOptions,
  type PliantErrorCode,
  type Plasticity,
  type SolidMaterial,
  type TetMesh,
} from "../src/index";
