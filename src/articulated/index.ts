export { ArticulatedModel, WORLD } from "./model";
export { ArticulatedScratch } from "./scratch";
export {
  mergeMechanisms,
  type EulerOrder,
  type Frame,
  type InertiaTensor,
  type JointDescription,
  type JointType as ArticulatedJointType,
  type LinkDescription,
  type LinkShape,
  type MechanismDescription,
  type PerDof,
} from "./description";
export type { MechanismParameter, ParameterTerm } from "./parameters";
export { mechanismPlacedAt } from "./placed-at";
export { linkPose, type LinkPose } from "./link-pose";
export { updateKinematics, updatePositions, updateVelocities } from "./dynamics/kinematics";
export { ForwardDynamics } from "./dynamics/forward-dynamics";
export { biasForces, inverseDynamics } from "./dynamics/inverse-dynamics";
export { factorMassMatrix, massMatrix, solveMass } from "./dynamics/mass-matrix";
export { addWrenches, linkJacobian, pointJacobian, pointToWorld } from "./dynamics/jacobian";
export { centerOfMass, kineticEnergy, potentialEnergy, totalMomentum } from "./dynamics/energy";
export { ForwardDynamicsDerivatives } from "./derivatives/forward-dynamics";
export { InverseDynamicsDerivatives } from "./derivatives/inverse-dynamics";
export { ArticulatedSimulation } from "./step/simulation";
export type { SimulationOptions } from "./step/options";
export type { StepJacobians } from "./step/step-jacobians";
export type { StepGradient } from "./step/pullback";
export type { StepParameter } from "./step/parameters";
export { Trajectory, type LossGradient, type TrajectoryGradient } from "./step/trajectory";
export { ContactKind, type ContactSet } from "./contact/contact-set";
export type { LcpStatistics } from "./lcp/solve";
export { BatchSimulation, type BatchOptions } from "./batch/batch-simulation";
export * from "./loaders/index";
export * from "./optimise/index";
