import { checkNames, optionNames } from "../../../option-names";
import type { LinkDescription } from "../../description";
import { settleMassless, type MasslessLinks } from "../body-mass";
import {
  fetchMeshes,
  requireNewName,
  requireText,
  type LoadedMechanism,
  type MeshUse,
  type VisualShape,
} from "../loaded";
import { Notes } from "../notes";
import { requireSize } from "../size";
import type { MeshSources } from "../sources";
import { readMimics, readUrdfJoint } from "./joint";
import { readInertia, readMaterials, readShape, type UrdfContext } from "./link";
import { parseFile, type FileElement } from "../xml";

export interface UrdfOptions extends MeshSources {
  /** joint of the root link to the world, default "fixed" */
  readonly base?: "fixed" | "free";
  /** source of the links' shapes: default "collision", the shapes made for contact */
  readonly shapes?: "collision" | "visual";
  /** joints with no mass behind them: fixed (default), or the mass [kg] and inertia [kg m²] of their links */
  readonly massless?: MasslessLinks;
}

const urdfNames = optionNames<UrdfOptions>()("mesh file base shapes massless");

/**
 * Reads a URDF file: links with their inertia, all joint types, limits, damping, friction and mimics of joints, shapes
 * to touch and to draw. Meshes become convex hulls. `notes` lists all else (transmissions, calibration, safety), and
 * every attribute that was not read.
 *
 * @param text the file; macros (xacro) expanded
 * @throws PliantError with the element and its line: unknown joint type, link or mesh, two parents, a cycle, a missing
 * attribute, an invalid number, a file of more than the limits allow
 */
export async function loadUrdf(text: string, options: UrdfOptions = {}): Promise<LoadedMechanism> {
  requireText(text, "loadUrdf");
  checkNames("loadUrdf", options, urdfNames);
  const robot = parseFile(text, "URDF", "robot");
  robot.pass("name", "version");
  const notes = new Notes();
  const shapeTag = options.shapes ?? "collision";
  const meshes = await fetchMeshes(meshUses(robot, shapeTag), options, notes);
  const context: UrdfContext = { meshes, materials: readMaterials(robot), notes };

  const links = new Map<string, FileElement>();
  for (const element of robot.childrenNamed("link")) {
    const name = element.required("name");
    requireNewName(element, name, links);
    links.set(name, element);
  }
  const joints = jointsByChild(robot, links);
  const visuals: VisualShape[] = [];
  const read = sortedLinks(robot, links, joints).map((name): LinkDescription => {
    const [element, joint] = [links.get(name)!, joints.get(name)];
    for (const visual of element.childrenNamed("visual")) {
      const drawn = readShape(visual, context, name);
      if (drawn !== undefined) visuals.push(drawn);
    }
    const shapes = element.childrenNamed(shapeTag).flatMap((each) => {
      const shape = readShape(each, context);
      return shape === undefined ? [] : [shape];
    });
    return {
      name,
      ...(joint === undefined ? {} : { parent: joint.requiredChild("parent").required("link") }),
      joint: joint === undefined ? { type: options.base === "free" ? "free" : "weld" } : readUrdfJoint(joint, notes),
      ...readInertia(element, notes),
      ...(shapes.length > 0 ? { shapes } : {}),
    };
  });
  requireSize(robot, read);
  const settled = settleMassless(read, options.massless ?? "fixed", links, notes);
  const couplings = readMimics([...joints.values()], settled, notes);
  notes.addUnread(robot);
  return {
    mechanism: {
      name: robot.attribute("name") ?? "robot",
      links: settled,
      ...(couplings.length > 0 ? { couplings } : {}),
    },
    ground: [],
    visuals,
    sites: [],
    actuators: [],
    keyframes: [],
    notes: notes.list(),
  };
}

function meshUses(robot: FileElement, shapeTag: string): MeshUse[] {
  return robot.childrenNamed("link").flatMap((link) =>
    ["collision", "visual"].flatMap((tag) =>
      link
        .childrenNamed(tag)
        .flatMap((shape) => shape.childrenNamed("geometry"))
        .flatMap((geometry) => geometry.childrenNamed("mesh"))
        .flatMap((element) => {
          if (tag !== shapeTag && tag !== "visual") return [];
          return [{ element, name: element.required("filename"), isDrawn: tag !== shapeTag }];
        }),
    ),
  );
}

/** The joint above each link. */
function jointsByChild(robot: FileElement, links: ReadonlyMap<string, FileElement>): Map<string, FileElement> {
  const joints = new Map<string, FileElement>();
  const names = new Set<string>();
  for (const joint of robot.childrenNamed("joint")) {
    const name = joint.required("name");
    if (names.has(name)) throw joint.error("must have a name that no other joint has", name);
    names.add(name);
    for (const end of ["parent", "child"]) {
      const element = joint.requiredChild(end);
      const link = element.required("link");
      if (!links.has(link)) throw element.error(`of joint "${name}" must be a link of the file`, link);
    }
    const child = joint.requiredChild("child").required("link");
    if (joints.has(child)) throw joint.error("its child link must have no other parent", child);
    joints.set(child, joint);
  }
  return joints;
}

/** Names of links, parents first. */
function sortedLinks(
  robot: FileElement,
  links: ReadonlyMap<string, FileElement>,
  joints: ReadonlyMap<string, FileElement>,
): string[] {
  const roots = [...links.keys()].filter((name) => !joints.has(name));
  if (links.size === 0) throw robot.error("must have a link (expand the macros of xacro first)", undefined);
  if (roots.length > 1)
    throw links.get(roots[1])!.error("must have one root link, and a joint above all others", roots);
  const below = new Map<string, string[]>();
  for (const [child, joint] of joints) {
    const parent = joint.requiredChild("parent").required("link");
    const children = below.get(parent);
    if (children === undefined) below.set(parent, [child]);
    else children.push(child);
  }
  // An explicit stack: chains may be as long as the file.
  const order: string[] = [];
  const stack = [...roots];
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    order.push(name);
    for (const child of (below.get(name) ?? []).reverse()) stack.push(child);
  }
  const found = new Set(order);
  const lost = [...links.keys()].find((name) => !found.has(name));
  if (lost !== undefined) throw joints.get(lost)!.error("must not be part of a cycle", lost);
  return order;
}
