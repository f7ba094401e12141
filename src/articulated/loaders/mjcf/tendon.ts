import { Actuators } from "../../actuators/actuators";
import type { ActuatedJoint, ActuatorDescription, TendonBranch, TendonPoint } from "../../actuators/description";
import { updateKinematics } from "../../dynamics/kinematics";
import { massMatrix } from "../../dynamics/mass-matrix";
import type { JointDescription, MechanismDescription } from "../../description";
import { ArticulatedModel } from "../../model";
import { ArticulatedScratch } from "../../scratch";
import type { LinkSite } from "../loaded";
import type { Notes } from "../notes";
import type { FileElement } from "../xml";
import type { Defaults } from "./defaults";
import { limitOf, linearTerm } from "./values";

/** A tendon as a sum of joints, or as a way from site to site. */
export interface Tendon {
  readonly element: FileElement;
  readonly name: string;
  readonly joints: readonly ActuatedJoint[];
  readonly path: readonly TendonBranch[];
  readonly range: readonly [number, number] | undefined;
  /** Reason for which it is left out. */
  readonly problem: string | undefined;
}

/** Rates of the springs and dampers that stand for limits and dry friction [1/s], far above those of any motion. */
const HARD = 1e6;

/**
 * Reads `<tendon>`.
 *
 * @throws PliantError for an unknown joint or site, or a range upside down
 */
export function readTendons(
  root: FileElement,
  defaults: Defaults,
  joints: ReadonlyMap<string, JointDescription>,
  sites: readonly LinkSite[],
  autoLimits: boolean,
): Map<string, Tendon> {
  const tendons = new Map<string, Tendon>();
  const places = new Map(sites.map((site) => [site.name, site]));
  for (const raw of root.childrenNamed("tendon").flatMap(({ children }) => children)) {
    if (raw.tag !== "fixed" && raw.tag !== "spatial") continue;
    const element = defaults.fillAs(raw, "tendon");
    element.pass("group", "width", "rgba", "material", "user");
    const name = element.attribute("name") ?? `tendon ${tendons.size}`;
    const problem = problemOf(element, joints);
    const isRead = (tag: string): boolean => problem === undefined && element.tag === tag;
    tendons.set(name, {
      element,
      name,
      joints: isRead("fixed") ? readSum(element, joints) : [],
      path: isRead("spatial") ? readPath(element, places) : [],
      range: limitOf(element, "range", "limited", autoLimits),
      problem,
    });
  }
  return tendons;
}

/** The sum of a fixed tendon; joints that were fixed do not move. */
function readSum(element: FileElement, joints: ReadonlyMap<string, JointDescription>): ActuatedJoint[] {
  return element.childrenNamed("joint").flatMap((term) => {
    const joint = term.required("joint");
    const coefficient = term.number("coef") ?? 0;
    return joints.get(joint)!.type === "weld" ? [] : [{ joint, coefficient }];
  });
}

/** @throws PliantError for an unknown joint */
function problemOf(element: FileElement, joints: ReadonlyMap<string, JointDescription>): string | undefined {
  if (element.tag === "spatial")
    return element.children.some(({ tag }) => tag === "geom") ? "a tendon that wraps around a geom" : undefined;
  const types = element.childrenNamed("joint").map((term) => {
    const found = joints.get(term.required("joint"));
    if (found === undefined) throw term.error("joint must be one of the file's", term.attribute("joint"));
    return found.type;
  });
  const isSum = types.every((type) => type === "revolute" || type === "prismatic" || type === "weld");
  return isSum ? undefined : "a sum with a joint of several coordinates";
}

/** Branches between pulleys, which divide the length behind them. */
function readPath(element: FileElement, places: ReadonlyMap<string, LinkSite>): TendonBranch[] {
  let [weight, points]: [number, TendonPoint[]] = [1, []];
  const branches: TendonBranch[] = [];
  const end = (): void => {
    if (points.length > 1) branches.push({ weight, points });
  };
  for (const child of element.children)
    if (child.tag === "pulley") {
      const divisor = child.number("divisor") ?? 1;
      if (!(divisor > 0)) throw child.error("divisor must be positive", divisor);
      end();
      [weight, points] = [1 / divisor, []];
    } else if (child.tag === "site") {
      const site = child.required("site");
      const found = places.get(site);
      if (found === undefined) throw child.error("site must be one of the file's", site);
      points.push({ ...(found.link === undefined ? {} : { link: found.link }), position: found.position });
    }
  end();
  if (branches.length === 0) throw element.error("needs two sites in a row", undefined);
  return branches;
}

/**
 * Springs, dampers, limits and dry friction of tendons, as actuators without gain. A spring with slack pulls on one side
 * of it and pushes on the other, so it is two; so are limits.
 */
export function tendonForces(
  tendons: Iterable<Tendon>,
  mechanism: MechanismDescription,
  notes: Notes,
): ActuatorDescription[] {
  let bench: Bench | undefined;
  return Array.from(tendons).flatMap(({ element, name, joints, path, range, problem }) => {
    if (problem !== undefined) {
      notes.add(element, `is left out: ${problem}`);
      return [];
    }
    const force = (what: string, bias: ActuatorDescription["bias"], forceRange?: readonly [number, number]) => ({
      ...{ name: `${name} ${what}`, joints, path, gain: 0, bias },
      ...(forceRange === undefined ? {} : { forceRange }),
    });
    const found: ActuatorDescription[] = [];
    const [stiffness, damping] = ["stiffness", "damping"].map((what) => linearTerm(element, what, notes));
    const friction = element.number("frictionloss") ?? 0;
    const [from, to = from] = element.numbers("springlength", 1, 2) ?? [-1];
    for (const [what, value] of Object.entries({ stiffness, damping, frictionloss: friction }))
      if (value < 0) throw element.error(`${what} must not be negative`, value);
    const one = { name, joints, path, gain: 0, bias: [0, 0, 0] } as const;
    const measured = (): Bench => (bench ??= new Bench(mechanism));
    if (stiffness > 0) {
      const [least, most] = from === -1 && to === -1 ? [measured().length(one), measured().length(one)] : [from, to];
      if (least > most) throw element.error("springlength must not begin above its end", [least, most]);
      const pull = (at: number) => [stiffness * at, -stiffness, 0] as const;
      if (least === most) found.push(force("spring", pull(least)));
      else found.push(force("push", pull(least), [0, Infinity]), force("pull", pull(most), [-Infinity, 0]));
    }
    if (damping > 0) found.push(force("damper", [0, 0, -damping]));
    if (friction > 0) found.push(force("friction", [0, 0, -HARD * measured().mass(one)], [-friction, friction]));
    if (range !== undefined) {
      const k = HARD * HARD * measured().mass(one);
      found.push(force("lower limit", [k * range[0], -k, 0], [0, Infinity]));
      found.push(force("upper limit", [k * range[1], -k, 0], [-Infinity, 0]));
    }
    return found;
  });
}

/** The mechanism with its springs at rest. */
class Bench {
  private readonly model = new ArticulatedModel(this.mechanism);
  private readonly scratch = new ArticulatedScratch(this.model);
  private readonly q = this.model.initialPosition.slice();

  constructor(private readonly mechanism: MechanismDescription) {
    const { model, q, scratch } = this;
    for (let link = 0; link < model.linkCount; link++)
      if (model.linkDofCount[link] === 1) q[model.linkDof[link]] = model.restPosition[model.linkDof[link]];
    updateKinematics(scratch, q, model.initialVelocity);
    massMatrix(scratch);
  }

  length(tendon: ActuatorDescription): number {
    return this.measure(tendon).length;
  }

  /** Mass that resists the tendon, about [kg, or kg m² for a sum of angles]. */
  mass(tendon: ActuatorDescription): number {
    const { dofs, coefficients } = this.measure(tendon);
    const { mass } = this.scratch;
    const mobility = dofs.reduce((sum, dof, j) => sum + coefficients[j] ** 2 / mass[dof * (this.model.nv + 1)], 0);
    return mobility > 0 ? 1 / mobility : 1;
  }

  private measure(tendon: ActuatorDescription) {
    const actuators = new Actuators(this.model, [tendon]);
    const zero = new Float64Array(this.model.nv);
    actuators.prepare(this.q, zero, 0, zero);
    return actuators.compiled[0];
  }
}
