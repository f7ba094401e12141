import type { DeformableOptions, StepOptions } from "../../solvers/deformable";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { GpbdOptions } from "../../solvers/gpbd/options";
import type { LocalGlobalModel } from "../../solvers/local-global/model";
import type { LocalGlobalOptions } from "../../solvers/local-global/options";
import type { NewtonBodyOptions } from "../../solvers/newton/deformable/body-options";
import type { FemModel } from "../../solvers/newton/deformable/fem-model";

/** Models that `World.addBody` takes. */
export type BodyModel = GpbdModel | LocalGlobalModel | FemModel;

/** Options of all solvers; a body takes those of its own. */
export type SolverOptions = GpbdOptions &
  Omit<LocalGlobalOptions, keyof GpbdOptions> &
  Omit<NewtonBodyOptions, keyof GpbdOptions | keyof LocalGlobalOptions>;

/** Options of a body: those of all solvers, and those of its own solver. */
export type BodySettings = DeformableOptions & Partial<SolverOptions> & StepOptions;
