/** Jacobians of a step (q, q̇, τ, p) ↦ (q', q̇'), row-major: entry (k, j) is the change of output k by input j. */
export type StepJacobians = Readonly<ReturnType<typeof makeStepJacobians>>;

/** Arrays for the Jacobians of a mechanism with nv coordinates and a number of parameters. */
export function makeStepJacobians(nv: number, parameters = 0) {
  const square = (): Float64Array => new Float64Array(nv * nv);
  return {
    /** nv × nv each */
    positionByPosition: square(),
    positionByVelocity: square(),
    positionByControl: square(),
    velocityByPosition: square(),
    velocityByVelocity: square(),
    velocityByControl: square(),
    /** nv × number of parameters */
    positionByParameter: new Float64Array(nv * parameters),
    velocityByParameter: new Float64Array(nv * parameters),
  };
}
