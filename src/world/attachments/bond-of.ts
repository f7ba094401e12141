import { type PliantError, unsupported } from "../../errors";
import { solverOf } from "../../solvers/alike";
import type { Bond, BondHost } from "./bond";
import { CarriedBond } from "./carried-bond";
import { GuestBond } from "./guest-bond";
import { LocalGlobalBond } from "./local-global-bond";
import { NewtonBond } from "./newton-bond";
import { VertexBond } from "./vertex-bond";

/** The bond of an attachment, by the solvers of the two sides. @throws PliantError `unsupported` */
export function bondOf(host: BondHost): Bond {
  const { body, to, world, compliance, breakingForce } = host;
  const solver = solverOf(body.model);
  if ("rigid" in to) {
    if (solver === "newton") return new NewtonBond(host, to);
    if (solver === "local-global") return new LocalGlobalBond(host);
    if (compliance > 0) throw refusal(host, "must hold exactly: bodies of gpbd have no compliance to rigid bodies");
    if (breakingForce < Infinity && world.backend === "webgpu")
      throw refusal(
        host,
        "must not break: forces of bodies of gpbd on rigid bodies are known on the cpu backend alone",
      );
    return new CarriedBond(host, to.rigid);
  }
  const other = solverOf(to.body.model);
  if (solver === "gpbd" || other === "gpbd") return new VertexBond(host, to);
  if (solver === "local-global" && other === "local-global") return new LocalGlobalBond(host);
  if (to.body !== body) return new GuestBond(host, to);
  throw refusal(host, "must be of two bodies: one of newton cannot hold itself");
}

function refusal({ body, to, world }: BondHost, rule: string): PliantError {
  const target = "body" in to ? solverOf(to.body.model) : "a rigid body";
  return unsupported(`attachment of "${body.name}"`, `${solverOf(body.model)} to ${target} on ${world.backend}`, rule);
}
