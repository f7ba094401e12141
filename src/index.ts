/**
 * Pliant's engine: deformable bodies by Generalized Position-Based Dynamics, on WebGPU or in plain JavaScript, and articulated
 * mechanisms with gradients. No Babylon in here.
 *
 * @packageDocumentation
 */
export { PliantError, type PliantErrorCode } from "./errors";
export type { Quat, Vec3 } from "./math/types";
export { World, type Snapshot, type WorldOptions } from "./world/world";
export { DeformableBody, type BodyOptions } from "./world/body";
export type { MaterialEase } from "./world/easing";
export type { PinOptions } from "./world/body-pins";
export type { WrittenState } from "./world/written-state";
export { Collider, type ColliderOptions } from "./world/collider";
export { RigidWorld, type RigidWorldOptions } from "./world/rigid/rigid-world";
export { RigidBody } from "./world/rigid/rigid-body";
export type { CombineMode } from "./collision/obstacles/combine";
export type { MassProperties, RigidBodyChanges, RigidBodyOptions } from "./world/rigid/body-options";
export { RigidJoint, type AxisName, type JointOptions, type JointType } from "./world/rigid/rigid-joint";
export type { RigidSnapshot } from "./world/rigid/snapshot";
export type { AxisMode, AxisSettings, MotorType } from "./solvers/newton/joints/axis";
export type { LinearMethod, NewtonOptions } from "./solvers/newton/options";
export type { RigidQuality } from "./solvers/newton/quality";
export type { NcpFunction, NcpPreconditioner } from "./solvers/ncp";
export { Signal } from "./world/signal";
export type { Box } from "./geometry/box";
export type { RayHit } from "./world/output/pick";
export type { RenderEmbedding, RenderOutput } from "./world/output/render-output";
export { RigidProxy, type ProxyResponse } from "./collision/obstacles/rigid-proxy";
export type { ColliderShape } from "./collision/shape/shape";
export { massProperties } from "./collision/shape/mass-properties";
export { compileRigidShape } from "./collision/narrow/shapes/compile-shape";
export type { RigidShape } from "./collision/narrow/shapes/rigid-shape";
export {
  QuerySpace,
  type BodyCastHit,
  type BodyProximity,
  type BodyRayHit,
  type QueryFilter,
} from "./collision/query/query-space";
export { clothModel, type ClothDescription, type ClothModel, type MembraneModel } from "./models/gpbd/cloth";
export type { BendingModel } from "./models/gpbd/bending";
export { chainModel, type ChainDescription } from "./models/gpbd/chain";
export { fiberModulus, rodModel, type RodDescription, type RodModel } from "./models/gpbd/rod";
export { localGlobalModel, type LocalGlobalDescription } from "./models/local-global/local-global";
export {
  localGlobalClothModel,
  type LocalGlobalClothDescription,
  type LocalGlobalClothModel,
} from "./models/local-global/local-global-fabric";
export {
  localGlobalSheet,
  type LocalGlobalSheetDescription,
  type SheetBending,
} from "./models/local-global/local-global-cloth";
export { softBodyModel, type SoftBodyDescription, type SoftBodyModel } from "./models/gpbd/soft-body";
export { withEnergy } from "./models/gpbd/with-energy";
export { defineEnergy, type DefinedEnergy, type EnergyDefinition } from "./materials/defined-energy/define-energy";
export type { EnergyStrain } from "./materials/defined-energy/strains";
export type { SolidElements } from "./models/solid-elements";
export { lameParameters, solidModels, type SolidMaterial, type SolidModel } from "./materials/solid-material";
export { fabrics, Fabric, type FabricName, type TableFabricOptions } from "./materials/fabric";
export type { FabricCurves, MeasuredCurve } from "./materials/hylc/from-curves";
export {
  readHylcTable,
  writeHylcTable,
  type HylcCurve,
  type HylcSurface,
  type HylcTable,
} from "./materials/hylc/table";
export { resamplePath } from "./geometry/resample-path";
export { gridMesh, type GridDescription } from "./geometry/grid";
export { icosphereMesh, type SphereMesh } from "./geometry/icosphere";
export {
  newtonSoftBodyModel,
  type NewtonSoftBodyDescription,
  type NewtonSoftBodyModel,
} from "./models/newton/newton-soft-body";
export { newtonClothModel, type NewtonClothDescription, type NewtonClothModel } from "./models/newton/newton-cloth";
export { newtonRopeModel, type NewtonRopeDescription } from "./models/newton/newton-rope";
export type { FemModel } from "./solvers/newton/deformable/fem-model";
export type { GeometricStiffness } from "./solvers/newton/deformable/elements";
export { ballTetrahedra } from "./geometry/tetrahedra/ball";
export { embedNormals, embedSurface, type Embedding } from "./geometry/tetrahedra/embedding";
export {
  boundaryTriangles,
  boxTetrahedra,
  type BoxPattern,
  meshVolume,
  tetMasses,
  validateTetMesh,
  type TetMesh,
} from "./geometry/tetrahedra/tet-mesh";
export { loadMsh } from "./geometry/tetrahedra/loaders/msh";
export { loadTetgen } from "./geometry/tetrahedra/loaders/tetgen";
export { loadVtk } from "./geometry/tetrahedra/loaders/vtk";
export { solidMesh, type SolidMesh, type SolidMeshDescription } from "./models/solid-mesh";
export type {
  BodyState,
  DeformableModel,
  DeformableOptions,
  FactorControl,
  FactorHandle as Factorization,
  FactorState,
  SolverName,
  Tear,
} from "./solvers/deformable";
export { addCable, Cable, type CableOptions, type CablePlace } from "./world/cables";
export type { BodyModel, BodySettings, SolverOptions } from "./world/backend/body-settings";
export { localGlobalGroup } from "./world/lanes/local-global-cpu";
export type { ContactForce, LocalGlobalGroup } from "./solvers/local-global/group";
export type { LocalGlobalModel } from "./solvers/local-global/model";
export type {
  Complementarity,
  ComplementarityScale,
  FactorPlace,
  LocalGlobalLane,
  LocalGlobalOptions,
} from "./solvers/local-global/options";
export { clearFactorStore } from "./solvers/local-global/factor/store";
export type { ContactResiduals } from "./solvers/local-global/contact/contact-solver";
export { defaultOptions, recommendedSubsteps, type GpbdOptions } from "./solvers/gpbd/options";
export type { TearingOptions } from "./solvers/gpbd/tearing/tearable";
export type { VertexSplit } from "./geometry/surface/torn-surface";
export { enclosedVolume, type InflationOptions } from "./solvers/gpbd/pressure/inflation";
export type { EnergyTerm, GpbdModel, TermKind } from "./solvers/gpbd/model";
export { untwistedFrames, type RodSet } from "./solvers/gpbd/rods/rod-set";
export * from "./articulated/index";
