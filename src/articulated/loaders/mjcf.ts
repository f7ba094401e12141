import { checkNames, type NamesOf } from "../../option-names";
import type { JointDescription, LinkDescription, LinkShape } from "../description";
import {
  fetchMeshes,
  placement,
  requireNewName,
  requireText,
  type LoadedMechanism,
  type MeshLoader,
  type MeshTable,
} from "./loaded";
import { combined, inertiaMatrix, inertiaNumbers, rotateInertia, type MassProperties } from "./mass-properties";
import { Defaults } from "./mjcf-defaults";
import { readGeom, readMeshAssets, type Geom, type GeomContext, type MeshAsset } from "./mjcf-geom";
import { actuatorLimits, readMjcfJoint } from "./mjcf-joint";
import { readCompiler, readPose, vector, type Compiler } from "./mjcf-values";
import { identity, matrixOf, type Transform } from "./transform";
import { parseFile, type FileElement } from "./xml";

export interface MjcfOptions {
  /** finds the meshes of the file; needed only if it has meshes */
  readonly mesh?: MeshLoader;
}

const optionNames = {
  mesh: true,
} satisfies NamesOf<MjcfOptions>;

/** Sections without influence on the motion. */
const silent = new Set(
  "compiler option size statistic visual default asset worldbody actuator sensor keyframe custom".split(" "),
);
const silentInBody = new Set("body joint freejoint geom inertial site camera light".split(" "));

/**
 * Reads the common subset of MJCF (MuJoCo): bodies, all joint types, geoms with their mass, inertials, default classes,
 * mesh assets, gravity and time step, and motors as limits of effort (0 for joints without a motor, if the file has
 * actuators). Several joints of a body become a chain of massless links named `body.joint`. `notes` lists omitted
 * elements (tendons, equalities, ellipsoids, dry friction of joints).
 *
 * @throws PliantError with the element and its line: unknown class, joint or mesh, a missing attribute or size, two
 * bodies with the same name
 */
export async function loadMjcf(text: string, options: MjcfOptions = {}): Promise<LoadedMechanism> {
  requireText(text, "loadMjcf");
  checkNames("loadMjcf", options, optionNames);
  const root = parseFile(text, "MJCF", "mujoco");
  const defaults = new Defaults(root);
  const assets = readMeshAssets(root, (element) => defaults.fill(element, undefined));
  const meshes = await fetchMeshes(fileUses(root, assets), options.mesh);
  const reading = new Reading(readCompiler(root), defaults, assets, meshes);

  const world = root.childrenNamed("worldbody");
  const ground: LinkShape[] = [];
  for (const body of world) {
    for (const element of body.childrenNamed("geom")) {
      const { shape } = readGeom(defaults.fill(element, body.attribute("childclass")), true, reading);
      if (shape !== undefined) ground.push(shape);
    }
    for (const child of body.childrenNamed("body")) reading.addBody(child, undefined, undefined);
  }
  if (reading.links.length === 0) throw (world[0] ?? root).error("must have a body", undefined);
  for (const child of root.children) if (!silent.has(child.tag)) reading.note(child, "is left out");
  const option = root.childrenNamed("option");
  return {
    mechanism: {
      name: root.attribute("model") ?? "model",
      links: actuatorLimits(root, defaults, reading.links, (element, what) => reading.note(element, what)),
    },
    ground,
    gravity: option.map((element) => vector(element, "gravity")).findLast((v) => v) ?? [0, 0, -9.81],
    timeStep: option.map((element) => element.number("timestep")).findLast((v) => v) ?? 0.002,
    notes: reading.notes,
  };
}

/** Mesh files used by geoms. */
function fileUses(root: FileElement, assets: ReadonlyMap<string, MeshAsset>): { element: FileElement; name: string }[] {
  const uses: { element: FileElement; name: string }[] = [];
  for (const element of root.descendants("geom")) {
    const file = assets.get(element.attribute("mesh") ?? "")?.file;
    if (file !== undefined) uses.push({ element, name: file });
  }
  return uses;
}

/** The links read so far, and the data that their elements share. */
class Reading implements GeomContext {
  readonly links: LinkDescription[] = [];
  readonly notes: string[] = [];
  private readonly names = new Set<string>();

  constructor(
    readonly compiler: Compiler,
    private readonly defaults: Defaults,
    readonly assets: ReadonlyMap<string, MeshAsset>,
    readonly meshes: MeshTable,
  ) {}

  note(element: FileElement, what: string): void {
    this.notes.push(`${element.label}: ${what}`);
  }

  /** Adds a body and all bodies below it. */
  addBody(element: FileElement, parent: string | undefined, inheritedClass: string | undefined): void {
    const childClass = element.attribute("childclass") ?? inheritedClass;
    const name = element.attribute("name") ?? `body ${this.links.length}`;
    requireNewName(element, name, this.names);
    const geoms = element
      .childrenNamed("geom")
      .map((geom) => readGeom(this.defaults.fill(geom, childClass), false, this));
    const shapes = geoms.flatMap(({ shape }) => (shape === undefined ? [] : [shape]));
    const body = {
      ...this.bodyMass(element, geoms),
      ...(shapes.length > 0 ? { shapes } : {}),
    };
    const above = this.addJoints(element, name, parent, childClass);
    this.names.add(name);
    this.links.push({ ...above, ...body });
    for (const child of element.children) {
      if (child.tag === "body") this.addBody(child, name, childClass);
      else if (!silentInBody.has(child.tag)) this.note(child, "is left out");
    }
  }

  /** Adds the joints of a body. All except the last become massless links; the last one is the joint of the body. */
  private addJoints(
    element: FileElement,
    name: string,
    parent: string | undefined,
    childClass: string | undefined,
  ): Pick<LinkDescription, "name" | "parent" | "joint"> {
    const pose = readPose(element, this.compiler);
    const joints = element.children
      .filter(({ tag }) => tag === "joint" || tag === "freejoint")
      .map((joint) => this.defaults.fill(joint, childClass));
    let above = parent;
    let frame: Transform = pose;
    for (const [i, joint] of joints.entries()) {
      if (joint.tag === "freejoint" && joints.length > 1)
        throw joint.error("a free joint must be the only joint of its body", joints.length);
      const description = readMjcfJoint(joint, frame, this);
      frame = identity;
      if (i === joints.length - 1) return link(name, above, description);
      const between = `${name}.${joint.attribute("name") ?? i}`;
      requireNewName(joint, between, this.names);
      this.names.add(between);
      this.links.push({ ...link(between, above, description), mass: 0 });
      above = between;
    }
    return link(name, above, { type: "weld", parentFrame: placement(pose.position, pose.rotation) });
  }

  private bodyMass(
    element: FileElement,
    geoms: readonly Geom[],
  ): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
    const inertial = element.child("inertial");
    const { inertiaFromGeom, boundMass, boundInertia } = this.compiler;
    const fromGeom = inertiaFromGeom === "true" || (inertiaFromGeom === "auto" && inertial === undefined);
    const body = fromGeom ? combined(geoms.map(({ mass }) => mass)) : this.inertialMass(inertial);
    const mass = Math.max(body.mass, boundMass);
    const inertia = [...body.inertia];
    for (const i of [0, 4, 8]) inertia[i] = Math.max(inertia[i], boundInertia);
    return {
      mass,
      centerOfMass: body.centre,
      ...(inertia.every((value) => value === 0) ? {} : { inertia: inertiaNumbers(inertia) }),
    };
  }

  private inertialMass(element: FileElement | undefined): MassProperties {
    if (element === undefined) return { mass: 0, centre: [0, 0, 0], inertia: new Array<number>(9).fill(0) };
    element.required("mass");
    const mass = element.number("mass")!;
    if (mass < 0) throw element.error("mass must not be negative", mass);
    const pose = readPose(element, this.compiler);
    const full = element.numbers("fullinertia", 6);
    const diagonal = element.numbers("diaginertia", 3);
    const terms = full ?? [...(diagonal ?? [0, 0, 0]), 0, 0, 0];
    return { mass, centre: pose.position, inertia: rotateInertia(inertiaMatrix(terms), matrixOf(pose.rotation)) };
  }
}

function link(
  name: string,
  parent: string | undefined,
  joint: JointDescription,
): Pick<LinkDescription, "name" | "parent" | "joint"> {
  return { name, ...(parent === undefined ? {} : { parent }), joint };
}
