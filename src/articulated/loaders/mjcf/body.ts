import type { JointDescription, LinkDescription, LinkShape } from "../../description";
import { combined, inertiaMatrix, massless, rotateInertia, transformed, type MassProperties } from "../mass-properties";
import { corrected, massOfLink } from "../body-mass";
import { placement, requireNewName, type LinkSite, type VisualShape } from "../loaded";
import type { Defaults } from "./defaults";
import { readGeom, type Geom, type GeomContext } from "./geom";
import { readMjcfJoint } from "./joint";
import { readPose } from "./values";
import { identity, matrixOf, multiply, type Transform } from "../transform";
import type { FileElement } from "../xml";

/** An element of a body, with the pose of the frames around it, and the class for elements without one. */
interface Placed {
  readonly element: FileElement;
  readonly frame: Transform;
  readonly childClass: string | undefined;
}

/** A body that is being read. */
interface Body {
  readonly name: string;
  /** pose of the body in its parent */
  readonly pose: Transform;
  readonly parent: string | undefined;
  /** Whether it or a body above it has a joint. */
  readonly moves: boolean;
}

/** A joint of a file, in the order of MuJoCo's coordinates. */
export interface ReadJoint {
  readonly link: string;
  readonly description: JointDescription;
  /** Pose of the body of a free joint in the world at rest. */
  readonly pose: Transform;
}

/** Bodies of the file as links, parents first. */
export class Bodies {
  readonly links: LinkDescription[] = [];
  readonly ground: LinkShape[] = [];
  readonly visuals: VisualShape[] = [];
  readonly sites: LinkSite[] = [];
  readonly joints: ReadJoint[] = [];
  /** element of each link */
  readonly elements = new Map<string, FileElement>();
  /** link of each body, by name */
  readonly names = new Map<string, string>();

  constructor(
    private readonly context: GeomContext,
    private readonly defaults: Defaults,
  ) {}

  /** Reads `<worldbody>`. */
  addWorld(world: FileElement): void {
    world.pass("name", "pos", "quat");
    for (const { element, frame, childClass } of this.contents(world, undefined))
      if (element.tag === "geom") this.addGround(element, frame, childClass);
      else if (element.tag === "site") this.addSite(element, frame, childClass, undefined);
      else if (element.tag === "body") this.addBody(element, frame, childClass, undefined);
  }

  private addGround(element: FileElement, frame: Transform, childClass: string | undefined): void {
    const { shape, visual } = readGeom(this.defaults.fill(element, childClass), frame, undefined, this.context);
    if (shape !== undefined) this.ground.push(shape);
    if (visual !== undefined) this.visuals.push(visual);
  }

  private addBody(
    element: FileElement,
    frame: Transform,
    outerClass: string | undefined,
    above: Body | undefined,
  ): void {
    const name = element.attribute("name") ?? `body ${this.links.length}`;
    requireNewName(element, name, this.elements);
    const contents = this.contents(element, outerClass);
    const joints = contents.filter(({ element: { tag } }) => tag === "joint" || tag === "freejoint");
    const body: Body = {
      name,
      pose: multiply(frame, readPose(element, this.context.compiler)),
      parent: above?.name,
      moves: above?.moves === true || joints.length > 0,
    };
    const of = (tag: string): Placed[] => contents.filter((each) => each.element.tag === tag);
    const geoms = of("geom").map((each) => this.readBodyGeom(each, body));
    const shapes = geoms.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const [inertial] = of("inertial");
    const compensation = element.number("gravcomp") ?? 0;
    element.pass("user");
    const joined = this.addJoints(element, body, joints);
    this.elements.set(name, element);
    this.names.set(name, name);
    this.links.push({
      ...joined,
      ...massOfLink(this.massOf(inertial, geoms)),
      ...(shapes.length > 0 ? { shapes } : {}),
      ...(compensation === 0 ? {} : { gravityCompensation: compensation }),
    });
    for (const each of of("site")) this.addSite(each.element, each.frame, each.childClass, name);
    for (const each of of("body")) this.addBody(each.element, each.frame, each.childClass, body);
  }

  private readBodyGeom({ element, frame, childClass }: Placed, body: Body): Geom {
    const filled = this.defaults.fill(element, childClass);
    if (filled.attribute("type") === "plane" && !body.moves) {
      // A plane of a body that stands still is one of the world.
      const geom = readGeom(filled, frame, undefined, this.context);
      if (geom.visual !== undefined) this.visuals.push({ ...geom.visual, link: body.name });
      return geom;
    }
    const geom = readGeom(filled, frame, body.name, this.context);
    if (geom.visual !== undefined) this.visuals.push(geom.visual);
    return geom;
  }

  /** Elements of a body, those of its frames included. */
  private contents(body: FileElement, outerClass: string | undefined): Placed[] {
    const found: Placed[] = [];
    const visit = (element: FileElement, frame: Transform, above: string | undefined): void => {
      const childClass = element.attribute("childclass") ?? above;
      for (const child of element.children)
        if (child.tag === "frame") visit(child, multiply(frame, readPose(child, this.context.compiler)), childClass);
        else found.push({ element: child, frame, childClass });
    };
    visit(body, identity, outerClass);
    return found;
  }

  private addSite(
    element: FileElement,
    frame: Transform,
    childClass: string | undefined,
    link: string | undefined,
  ): void {
    const filled = this.defaults.fill(element, childClass);
    filled.pass("group", "material", "rgba", "size", "type", "user", "fromto");
    const { position, rotation } = multiply(frame, readPose(filled, this.context.compiler));
    const name = filled.attribute("name");
    if (name !== undefined) this.sites.push({ name, ...(link === undefined ? {} : { link }), position, rotation });
  }

  /** Adds the joints of a body. All except the last become massless links; the last one is the joint of the body. */
  private addJoints(
    element: FileElement,
    { name, pose, parent }: Body,
    joints: readonly Placed[],
  ): Pick<LinkDescription, "name" | "parent" | "joint"> {
    let above = parent;
    let rest: Transform = pose;
    for (const [i, { element: raw, frame, childClass }] of joints.entries()) {
      const joint = raw.tag === "freejoint" ? raw : this.defaults.fill(raw, childClass);
      const description = readMjcfJoint(joint, rest, frame, this.context);
      if (description.type === "free" && (joints.length > 1 || parent !== undefined))
        throw joint.error("a free joint must be the only joint of a body of the world", joints.length);
      const isLast = i === joints.length - 1;
      const between = isLast ? name : `${name}.${joint.attribute("name") ?? i}`;
      requireNewName(joint, between, this.elements);
      this.joints.push({ link: between, description, pose: rest });
      if (isLast) return link(name, above, description);
      this.elements.set(between, element);
      this.links.push({ ...link(between, above, description), mass: 0 });
      above = between;
      rest = identity;
    }
    return link(name, above, { type: "weld", parentFrame: placement(pose.position, pose.rotation) });
  }

  private massOf(inertial: Placed | undefined, geoms: readonly Geom[]): MassProperties {
    const { compiler } = this.context;
    const { inertiaFromGeom } = compiler;
    const isFromGeoms = inertiaFromGeom === "true" || (inertiaFromGeom === "auto" && inertial === undefined);
    return corrected(isFromGeoms ? combined(geoms.map(({ mass }) => mass)) : this.inertialMass(inertial), compiler);
  }

  private inertialMass(placed: Placed | undefined): MassProperties {
    if (placed === undefined) return massless;
    const { element, frame } = placed;
    element.required("mass");
    const mass = element.number("mass")!;
    if (mass < 0) throw element.error("mass must not be negative", mass);
    const pose = readPose(element, this.context.compiler);
    const full = element.numbers("fullinertia", 6);
    const diagonal = element.numbers("diaginertia", 3);
    const terms = full ?? [...(diagonal ?? [0, 0, 0]), 0, 0, 0];
    const inertia = rotateInertia(inertiaMatrix(terms), matrixOf(pose.rotation));
    return transformed({ mass, centre: pose.position, inertia }, frame);
  }
}

function link(
  name: string,
  parent: string | undefined,
  joint: JointDescription,
): Pick<LinkDescription, "name" | "parent" | "joint"> {
  return { name, ...(parent === undefined ? {} : { parent }), joint };
}
