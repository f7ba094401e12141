/**
 * The code that solves rigid bodies and joints, and deformable bodies in one system with them; loaded when there is a
 * body that moves.
 */
export { compileRigidShape } from "../../../collision/narrow/shapes/compile-shape";
export { RigidStepper } from "../../../solvers/newton/stepper";
export { ContactFinder } from "../contact/contact-finder";
export { TrustedSteps } from "../contact/trusted-steps";
export { metOnWay } from "../contact/met-on-way";
export { answeringIslands } from "../contact/answering-islands";
export { jointedIslands } from "../soft/jointed-island";
export { shortenWay } from "../contact/free-way";
export { beginLinkages } from "../linked-bodies";
export { watchSwallowed } from "../soft/swallowed";
export { SoftBodies } from "../soft/soft-bodies";
export { FrameJoint } from "../../../solvers/newton/joints/frame-joint";
