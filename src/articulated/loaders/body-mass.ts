import { principalAxes } from "../../geometry/principal-axes";
import type { LinkDescription } from "../description";
import { inertiaMatrix, inertiaNumbers, rotateInertia, type MassProperties } from "./mass-properties";
import type { Compiler } from "./mjcf/values";
import type { Notes } from "./notes";
import { matrixOf } from "./transform";
import type { FileElement } from "./xml";

/** Mass, center and inertia as a link has them; a point mass has no inertia. */
export function massOfLink(body: MassProperties): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
  return {
    mass: body.mass,
    centerOfMass: body.centre,
    ...(body.inertia.every((value) => value === 0) ? {} : { inertia: inertiaNumbers(body.inertia) }),
  };
}

/** The bounds of `<compiler>` for mass and principal moments, and then their mean where no body can have them. */
export function corrected(body: MassProperties, { boundMass, boundInertia, balanceInertia }: Compiler): MassProperties {
  const mass = Math.max(body.mass, boundMass);
  if (boundInertia === 0 && !balanceInertia) return { ...body, mass };
  const { moments, rotation } = principalAxes(body.inertia);
  let [a, b, c] = moments.map((value) => Math.max(value, boundInertia));
  const sorted = [a, b, c].sort((first, second) => first - second);
  const isImpossible = sorted[0] + sorted[1] < sorted[2] * (1 - 1e-12);
  if (balanceInertia && isImpossible) a = b = c = (a + b + c) / 3;
  return { ...body, mass, inertia: rotateInertia([a, 0, 0, 0, b, 0, 0, 0, c], matrixOf(rotation)) };
}

/** The links with masses and inertias that add up to a mass [kg]. */
export function scaledTo(links: readonly LinkDescription[], total: number | undefined): readonly LinkDescription[] {
  const sum = links.reduce((mass, link) => mass + link.mass, 0);
  if (total === undefined || !(sum > 0)) return links;
  const factor = total / sum;
  return links.map((link) => ({
    ...link,
    mass: link.mass * factor,
    ...(link.inertia === undefined
      ? {}
      : { inertia: inertiaNumbers(inertiaMatrix(link.inertia).map((value) => value * factor)) }),
  }));
}

/** The way in which loaders treat joints without any mass behind them. */
export type MasslessLinks = "fixed" | { readonly mass: number; readonly inertia?: number };

/** Inertia of a default mass: that of a ball with a radius of 5 cm, for each kilogram [m²]. */
const DEFAULT_INERTIA = 0.4 * 0.05 ** 2;

/**
 * Settles joints that would move nothing: files of robots have links without inertia, such as frames of cameras.
 *
 * @param links parents before children
 * @param elements element of each link, for the notes
 */
export function settleMassless(
  links: readonly LinkDescription[],
  massless: MasslessLinks,
  elements: ReadonlyMap<string, FileElement>,
  notes: Notes,
): LinkDescription[] {
  const heavy = new Set<string>();
  for (const link of [...links].reverse()) {
    const { armature = 0 } = link.joint;
    const isDriven = typeof armature === "number" ? armature > 0 : armature.every((value) => value > 0);
    if (link.mass > 0 || link.inertia !== undefined || isDriven) heavy.add(link.name);
    if (heavy.has(link.name) && link.parent !== undefined) heavy.add(link.parent);
  }
  return links.map((link) => {
    if (heavy.has(link.name) || link.joint.type === "weld") return link;
    const element = elements.get(link.name)!;
    if (massless === "fixed") {
      notes.add(element, "its joint is fixed: nothing behind it has a mass");
      const { name, parentFrame, childFrame } = link.joint;
      return { ...link, joint: { type: "weld", ...(name === undefined ? {} : { name }), parentFrame, childFrame } };
    }
    const { mass, inertia = DEFAULT_INERTIA * mass } = massless;
    notes.add(element, `has the default mass of ${mass} kg`);
    return { ...link, mass, inertia: [inertia, inertia, inertia, 0, 0, 0] };
  });
}
