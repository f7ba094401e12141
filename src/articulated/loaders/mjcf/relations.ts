import type { JointCoupling, JointDescription } from "../../description";
import type { Defaults } from "./defaults";
import type { Notes } from "../notes";
import type { FileElement } from "../xml";

/** Greatest number of coefficients of a joint's equality. */
const COEFFICIENTS = 5;

/**
 * Equalities of joints: q₁ − r₁ = Σ cₖ (q₂ − r₂)ᵏ with the coordinates r at rest.
 *
 * @throws PliantError for an unknown joint, or one of several coordinates
 */
export function readCouplings(
  root: FileElement,
  defaults: Defaults,
  joints: ReadonlyMap<string, JointDescription>,
  notes: Notes,
): JointCoupling[] {
  const couplings: JointCoupling[] = [];
  for (const raw of root.childrenNamed("equality").flatMap((section) => section.childrenNamed("joint"))) {
    const element = defaults.fillAs(raw, "equality");
    if (element.choice("active", ["true", "false"]) === "false") {
      notes.add(element, "is left out: it is not active");
      continue;
    }
    const named = (attribute: string): JointDescription => {
      const name = element.required(attribute);
      const joint = joints.get(name);
      if (joint?.type !== "revolute" && joint?.type !== "prismatic")
        throw element.error(`${attribute} must be a hinge or slide of the file`, name);
      return joint;
    };
    const rest = (joint: JointDescription): number => (joint.initialPosition as number | undefined) ?? 0;
    const joint = named("joint1");
    const driver = element.attribute("joint2") === undefined ? undefined : named("joint2");
    const given = element.numbers("polycoef", 1, COEFFICIENTS) ?? [0, 1];
    const coefficients = driver === undefined ? [given[0] + rest(joint)] : shifted(given, rest(driver), rest(joint));
    couplings.push({ joint: joint.name!, ...(driver === undefined ? {} : { driver: driver.name! }), coefficients });
  }
  return couplings;
}

/** The coefficients of a + Σ cₖ (x − r)ᵏ as a polynomial in x. */
function shifted(given: readonly number[], r: number, a: number): number[] {
  // by Horner's rule: p ← p (x − r) + cₖ
  let sum: number[] = [];
  for (const c of [...given].reverse()) {
    const next = [0, ...sum];
    sum.forEach((value, k) => (next[k] -= r * value));
    next[0] += c;
    sum = next;
  }
  sum[0] += a;
  return sum;
}

/**
 * Pairs of bodies that do not touch.
 *
 * @param names links of the bodies, by name
 * @throws PliantError for an unknown body
 */
export function readExclusions(
  root: FileElement,
  names: { has(name: string): boolean },
): (readonly [string, string])[] {
  return root
    .childrenNamed("contact")
    .flatMap((section) => section.childrenNamed("exclude"))
    .flatMap((element) => {
      const [a, b] = ["body1", "body2"].map((attribute) => element.required(attribute));
      for (const name of [a, b])
        if (name !== "world" && !names.has(name)) throw element.error("must name bodies of the file", name);
      return [[a, b] as const];
    });
}
