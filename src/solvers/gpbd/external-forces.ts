/** The air changes slowly beside the stiffness of cloth: it is evaluated this often in a frame, if there are substeps. */
const airEvaluations = 4;

/** Substeps from one evaluation of the air to the next. */
export function airInterval(substeps: number): number {
  return Math.ceil(substeps / airEvaluations);
}
