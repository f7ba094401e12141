import { PliantError } from "../../errors";
import { type Bond, type BondHost, solverOf } from "./bond";
import { LocalGlobalBond } from "./local-global-bond";
import { NewtonBond } from "./newton-bond";
import { VertexBond } from "./vertex-bond";

/**
 * The bond of an attachment, by the solvers of the two sides.
 *
 * @throws PliantError `unsupported`
 */
export function bondOf(host: BondHost): Bond {
  const { body, to, world } = host;
  const solver = solverOf(body);
  if ("body" in to && solver === "gpbd" && solverOf(to.body) === "gpbd") return new VertexBond(host, to);
  if ("rigid" in to && solver === "newton") return new NewtonBond(host, to);
  if (solver === "local-global" && ("rigid" in to || solverOf(to.body) === "local-global"))
    return new LocalGlobalBond(host);
  throw new PliantError(
    "unsupported",
    `attachment of "${body.name}"`,
    `${solver} to ${"body" in to ? solverOf(to.body) : "a rigid body"} on ${world.backend}`,
    "must be one that the solvers can hold",
  );
}
