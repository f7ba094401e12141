/**
 * Pliant's engine: rigid and deformable bodies in one world, on WebGPU or in plain JavaScript, and articulated
 * mechanisms with gradients. It does not depend on Babylon.
 *
 * @module babylon-pliant/engine
 */

export { PliantError, type PliantErrorCode } from "./errors";
export type { Quat, Vec3 } from "./math/types";

// The world and its contents
export { RigidJoint, type AxisName, type JointOptions, type JointType } from "./world/rigid/rigid-joint";
export {
  QuerySpace,
  type BodyCastHit,
  type BodyProximity,
  type BodyRayHit,
  type QueryFilter,
} from "./collision/query/query-space";
export type { BodyModel, SolverOptions } from "./world/backend/body-settings";
export { DeformableBody, type BodyOptions } from "./world/body";
export type { Blast, Push } from "./world/push/push";
export { addAttachment, type Attachment } from "./world/attachments/attachment";
export type { AttachmentOptions } from "./world/attachments/attachment-options";
export { MotionRange, type MotionRangeOptions } from "./world/motion-range";
export { addCable, Cable, type CableOptions, type CablePlace } from "./world/cables";
export type { ColliderOptions } from "./collision/obstacles/collider-set";
export { Collider } from "./world/collider";
export type { ColliderShape } from "./collision/shape/shape";
export type { MassProperties, RigidBodyChanges, RigidBodyOptions } from "./world/rigid/body-options";
export type { PinOptions } from "./world/body-pins";
export type { BodyLeader } from "./world/rigid/contact/leader";
export type { RayHit } from "./world/output/pick";
export { RigidBody } from "./world/rigid/rigid-body";
export { RigidWorld } from "./world/rigid/rigid-world";
export { Signal } from "./world/signal";
export { packSnapshot, unpackSnapshot } from "./world/snapshot-bytes";
export { mechanismModel, type MechanismOptions } from "./world/mechanism/mechanism-model";
export type { LinkSensor, LinkSensorOptions } from "./world/mechanism/link-sensor";
export type { Mechanism } from "./world/mechanism/mechanism";
export { World, type Snapshot, type WorldOptions } from "./world/world";
export { WindField } from "./solvers/wind/wind-field";
export type { WindShelter, WindZone } from "./solvers/wind/wind-places";
export type {
  TurbulenceOptions,
  WindFieldOptions,
  WindShelterOptions,
  WindZoneOptions,
} from "./solvers/wind/wind-options";
export { massProperties } from "./collision/shape/mass-properties";
export type { AxisSettings } from "./solvers/newton/joints/axis";
export type { BodyState, FactorHandle as Factorization, SolverName, Tear } from "./solvers/deformable";
export type { RigidQuality } from "./solvers/newton/quality";
export type { TearingOptions } from "./solvers/gpbd/tearing/tearable";
export { clearFactorStore } from "./solvers/local-global/factor/store";

// Cloth, solids and ropes
export { clothModel, type ClothDescription, type ClothModel } from "./models/cloth";
export { withMaps, type VertexFactors } from "./models/gpbd/with-maps";
export { defineEnergy, type DefinedEnergy, type EnergyDefinition } from "./materials/defined-energy/define-energy";
export { embedSurface, type Embedding } from "./geometry/tetrahedra/embedding";
export { Fabric, fabrics, type FabricName } from "./materials/fabric";
export type { FabricCurves } from "./materials/hylc/from-curves";
export { readHylcTable, writeHylcTable, type HylcTable } from "./materials/hylc/table";
export { ropeModel, type RopeDescription, type RopeModel } from "./models/rope";
export { solidModel, type SolidDescription, type SolidModel } from "./models/solid";
export type { SolidMaterial } from "./materials/solid-material";
export type { Plasticity } from "./solvers/gpbd/plasticity/plasticity";
export { solidMesh } from "./models/solid-mesh";
export { boxTetrahedra, type TetMesh } from "./geometry/tetrahedra/tet-mesh";
export { ballTetrahedra } from "./geometry/tetrahedra/ball";
export { fiberModulus } from "./models/gpbd/rod";
export { gridMesh } from "./geometry/grid";
export { icosphereMesh } from "./geometry/icosphere";
export { loadMsh } from "./geometry/tetrahedra/loaders/msh";
export { loadTetgen } from "./geometry/tetrahedra/loaders/tetgen";
export { loadVtk } from "./geometry/tetrahedra/loaders/vtk";

// Mechanisms
export { ArticulatedModel } from "./articulated/model";
export { ArticulatedSimulation } from "./articulated/step/simulation";
export { BatchSimulation } from "./articulated/batch/batch-simulation";
export type { BatchOptions, GroundPlane } from "./articulated/batch/batch-options";
export type { BatchGradient, BatchTape } from "./articulated/batch/batch-tape";
export type { WorldParameters } from "./articulated/batch/world-parameters";
export { HeldControlStep } from "./articulated/optimise/differentiable-step";
export {
  identify,
  type IdentificationOptions,
  type IdentificationProblem,
  type IdentificationResult,
} from "./articulated/optimise/identify";
export {
  mergeMechanisms,
  type JointCoupling,
  type JointDescription,
  type LinkClosure,
  type LinkDescription,
  type LinkShape,
  type MechanismDescription,
} from "./articulated/description";
export type { SimulationOptions } from "./articulated/step/options";
export { SimulationStep } from "./articulated/optimise/simulation-step";
export type { StepJacobians } from "./articulated/step/derivatives/step-jacobians";
export type { StepParameter } from "./articulated/step/derivatives/parameters";
export {
  optimizeTrajectory,
  type TrajectoryOptions,
  type TrajectoryPolicy,
  type TrajectoryProblem,
  type TrajectoryResult,
} from "./articulated/optimise/trajectory";
export { centerOfMass, kineticEnergy, potentialEnergy, totalMomentum } from "./articulated/dynamics/energy";
export {
  solveInverseKinematics,
  type InverseKinematicsOptions,
  type InverseKinematicsResult,
  type LinkGoal,
} from "./articulated/inverse-kinematics";
export { inverseDynamics } from "./articulated/dynamics/inverse-dynamics";
export { linkJacobian, pointToWorld } from "./articulated/dynamics/jacobian";
export { Trajectory } from "./articulated/step/trajectory";
export type {
  ActuatedJoint,
  ActuatorDescription,
  TendonBranch,
  TendonPoint,
} from "./articulated/actuators/description";
export type { Keyframe, LinkSite, LoadedMechanism, VisualShape } from "./articulated/loaders/loaded";
export { loadMjcf } from "./articulated/loaders/mjcf/mjcf";
export { filesFrom, filesIn } from "./articulated/loaders/sources";
export { loadSkel } from "./articulated/loaders/skel/skel";
export { loadUrdf } from "./articulated/loaders/urdf/urdf";
export { massMatrix } from "./articulated/dynamics/mass-matrix";
export { mechanismPlacedAt } from "./articulated/placed-at";
export { runInWorker } from "./articulated/optimise/worker-client";
export { runTask } from "./articulated/optimise/task";
