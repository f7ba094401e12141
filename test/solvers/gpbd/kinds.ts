import { elementKinds as others } from "../../../src/solvers/gpbd/elements/elements";
import { solidKinds } from "../../../src/solvers/gpbd/elements/solids/solid-kind";

/** Kinds of energy terms, those of linear tetrahedra included. */
export const elementKinds = { ...others, ...solidKinds };
