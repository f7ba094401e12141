/** Jacobians of a step (q, q̇, τ, p) ↦ (q', q̇'), row-major: entry (k, j) is the change of output k by input j. */
export interface StepJacobians {
  /** nv × nv each */
  readonly positionByPosition: Float64Array;
  readonly positionByVelocity: Float64Array;
  readonly positionByControl: Float64Array;
  readonly velocityByPosition: Float64Array;
  readonly velocityByVelocity: Float64Array;
  readonly velocityByControl: Float64Array;
  /** nv × number of parameters */
  readonly positionByParameter: Float64Array;
  readonly velocityByParameter: Float64Array;
}

/** Arrays for the Jacobians of a mechanism with nv coordinates and a number of parameters. */
export function makeStepJacobians(nv: number, parameters = 0): StepJacobians {
  const square = (): Float64Array => new Float64Array(nv * nv);
  return {
    positionByPosition: square(),
    positionByVelocity: square(),
    positionByControl: square(),
    velocityByPosition: square(),
    velocityByVelocity: square(),
    velocityByControl: square(),
    positionByParameter: new Float64Array(nv * parameters),
    velocityByParameter: new Float64Array(nv * parameters),
  };
}
