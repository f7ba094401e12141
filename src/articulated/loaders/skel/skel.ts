import { checkNames, optionNames } from "../../../option-names";
import type { Vec3 } from "../../../math/types";
import type { LinkDescription, LinkShape, MechanismDescription } from "../../description";
import { mergeMechanisms } from "../../description";
import { fetchMeshes, placement, requireNewName, requireText, type LoadedMechanism, type MeshTable } from "../loaded";
import { readSkelJoint } from "./joint";
import { readSkelShape, skelInertia } from "./shape";
import { eulerRotation, identity, inverse, multiply, type Transform } from "../transform";
import type { MeshLoader } from "../sources";
import { parseFile, type FileElement } from "../xml";

export interface SkelOptions {
  /** finds the meshes of the file; needed only if it has meshes */
  readonly mesh?: MeshLoader;
}

const skelNames = optionNames<SkelOptions>()("mesh");

interface Reading {
  readonly meshes: MeshTable;
  readonly notes: string[];
}

/** Elements of a skeleton, a body and the world that are ignored without a note. */
const silentInWorld = new Set(["physics", "skeleton"]);
const silentInSkeleton = new Set(["mobile", "transformation", "body", "joint"]);

/**
 * Reads a .skel file (DART): skeletons of bodies and joints with poses in the skeleton's frame, shapes, springs,
 * damping, limits, gravity and time step. Immobile skeletons become `ground`. A body with a mass but no moments of
 * inertia gets those of its first shape, in the body's own axes; without a shape, 1 kg m² for each kg.
 *
 * @throws PliantError with the element and its line: unknown joint type, body or mesh, two joints above one body, a
 * cycle, a missing element
 */
export async function loadSkel(text: string, options: SkelOptions = {}): Promise<LoadedMechanism> {
  requireText(text, "loadSkel");
  checkNames("loadSkel", options, skelNames);
  const world = parseFile(text, ".skel", "skel").requiredChild("world");
  const uses = world.descendants("mesh").map((element) => ({ element, name: element.requiredChild("file_name").text }));
  const reading: Reading = { meshes: await fetchMeshes(uses, { mesh: options.mesh }, undefined), notes: [] };
  const mechanisms: MechanismDescription[] = [];
  const ground: LinkShape[] = [];
  for (const skeleton of world.childrenNamed("skeleton"))
    if (skeleton.child("mobile")?.text === "false") ground.push(...staticShapes(skeleton, reading));
    else mechanisms.push(readSkeleton(skeleton, reading));
  if (mechanisms.length === 0) throw world.error("must have a mobile skeleton", undefined);
  for (const child of world.children) if (!silentInWorld.has(child.tag)) note(reading, child);
  const physics = world.child("physics");
  return {
    mechanism: mergeMechanisms(mechanisms),
    ground,
    visuals: [],
    sites: [],
    actuators: [],
    keyframes: [],
    gravity: (physics?.child("gravity")?.textNumbers(3) ?? [0, -9.81, 0]) as unknown as Vec3,
    timeStep: physics?.childNumber("time_step") ?? 0.001,
    notes: reading.notes,
  };
}

/** `<transformation>x y z a b c</transformation>`: R = Rx(a) Ry(b) Rz(c). */
export function readTransformation(element: FileElement): Transform {
  const numbers = element.child("transformation")?.textNumbers(6);
  if (numbers === undefined) return identity;
  const [x, y, z, ...angles] = numbers;
  return { position: [x, y, z], rotation: eulerRotation(angles, "xyz") };
}

function staticShapes(skeleton: FileElement, reading: Reading): LinkShape[] {
  const base = readTransformation(skeleton);
  return skeleton
    .childrenNamed("body")
    .flatMap((body) => collisionShapes(body, multiply(base, readTransformation(body)), reading));
}

/** @param frame frame of the body in which the shapes are returned */
function collisionShapes(body: FileElement, frame: Transform, { meshes, notes }: Reading): LinkShape[] {
  return body.childrenNamed("collision_shape").flatMap((element) => {
    const shape = readSkelShape(element, meshes);
    if (shape === undefined) {
      notes.push(`${element.label}: a shape of this kind is left out`);
      return [];
    }
    const { position, rotation } = multiply(frame, readTransformation(element));
    return [{ shape, ...placement(position, rotation) }];
  });
}

function readSkeleton(skeleton: FileElement, reading: Reading): MechanismDescription {
  const base = readTransformation(skeleton);
  const bodies = new Map<string, { element: FileElement; frame: Transform }>();
  for (const element of skeleton.childrenNamed("body")) {
    const name = element.required("name");
    requireNewName(element, name, new Set(bodies.keys()));
    bodies.set(name, { element, frame: multiply(base, readTransformation(element)) });
  }
  if (bodies.size === 0) throw skeleton.error("must have a body", undefined);
  const joints = jointsByChild(skeleton, new Set(bodies.keys()));
  const links: LinkDescription[] = [];
  const done = new Set<string>();
  // Links are added in the order of the joints, which is that of the coordinates, but parents first.
  const add = (name: string, path: readonly string[]): void => {
    if (done.has(name)) return;
    const joint = joints.get(name);
    if (path.includes(name)) throw joint!.error("must not be part of a cycle", name);
    const parent = joint === undefined ? undefined : parentOf(joint);
    if (parent !== undefined) add(parent, [...path, name]);
    done.add(name);
    links.push(readLink(name, bodies, joint, parent, reading));
  };
  for (const name of [...joints.keys(), ...bodies.keys()]) add(name, []);
  for (const child of skeleton.children) if (!silentInSkeleton.has(child.tag)) note(reading, child);
  return { name: skeleton.attribute("name") ?? "skeleton", links };
}

function jointsByChild(skeleton: FileElement, bodies: ReadonlySet<string>): Map<string, FileElement> {
  const joints = new Map<string, FileElement>();
  for (const joint of skeleton.childrenNamed("joint")) {
    for (const end of ["parent", "child"]) {
      const { text } = joint.requiredChild(end);
      if (!(bodies.has(text) || (end === "parent" && text === "world")))
        throw joint.error(`${end} must be a body of the skeleton`, text);
    }
    const child = joint.requiredChild("child").text;
    if (joints.has(child)) throw joint.error("its child must have no other joint above it", child);
    joints.set(child, joint);
  }
  return joints;
}

function parentOf(joint: FileElement): string | undefined {
  const { text } = joint.requiredChild("parent");
  return text === "world" ? undefined : text;
}

function readLink(
  name: string,
  bodies: ReadonlyMap<string, { element: FileElement; frame: Transform }>,
  joint: FileElement | undefined,
  parent: string | undefined,
  reading: Reading,
): LinkDescription {
  const { element, frame } = bodies.get(name)!;
  const inParent = parent === undefined ? frame : multiply(inverse(bodies.get(parent)!.frame), frame);
  const inChild = joint === undefined ? identity : readTransformation(joint);
  const atParent = multiply(inParent, inChild);
  const frames = {
    parentFrame: placement(atParent.position, atParent.rotation),
    childFrame: placement(inChild.position, inChild.rotation),
  };
  const shapes = collisionShapes(element, identity, reading);
  const jointName = joint?.attribute("name");
  const named = jointName === undefined ? {} : { name: jointName };
  return {
    name,
    ...(parent === undefined ? {} : { parent }),
    joint: { ...(joint === undefined ? { type: "free" } : readSkelJoint(joint, reading.notes)), ...named, ...frames },
    ...readInertia(element, reading),
    ...(shapes.length > 0 ? { shapes } : {}),
  };
}

function readInertia(
  body: FileElement,
  { meshes }: Reading,
): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
  const inertia = body.child("inertia");
  const mass = inertia?.childNumber("mass") ?? 1;
  if (mass < 0) throw inertia!.error("mass must not be negative", mass);
  const centerOfMass = (inertia?.child("offset")?.textNumbers(3) ?? [0, 0, 0]) as unknown as Vec3;
  const moments = inertia?.child("moment_of_inertia");
  if (moments !== undefined) {
    const [xx, yy, zz, xy, xz, yz] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].map(
      (term) => moments.childNumber(term) ?? 0,
    );
    return { mass, centerOfMass, inertia: [xx, yy, zz, xy, xz, yz] };
  }
  const first = body.children.find(({ tag }) => tag === "visualization_shape" || tag === "collision_shape");
  return { mass, centerOfMass, ...skelInertia(first, mass, meshes) };
}

function note({ notes }: Reading, element: FileElement): void {
  notes.push(`${element.label}: is left out`);
}
