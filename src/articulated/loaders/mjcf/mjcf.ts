import { checkNames, optionNames } from "../../../option-names";
import type { Vec3 } from "../../../math/types";
import { withDampingRatios } from "../../actuators/damping-ratio";
import type { JointDescription, LinkDescription } from "../../description";
import { scaledTo, settleMassless, type MasslessLinks } from "../body-mass";
import { fetchMeshes, requireText, type LoadedMechanism, type MeshUse } from "../loaded";
import { boundByJoints, limitEfforts, readActuators } from "./actuator";
import { Bodies } from "./body";
import { readClosures } from "./closures";
import { Defaults } from "./defaults";
import { expandReplicates } from "./expand";
import { readWithIncludes } from "./files";
import { collides, isDrawn } from "./geom";
import { readKeyframes } from "./keyframe";
import { Meshes, readMeshAssets, type MeshAsset } from "./mesh";
import { readCouplings, readExclusions } from "./relations";
import { readTendons, tendonForces } from "./tendon";
import { readCompiler, vector, type Compiler } from "./values";
import { Notes } from "../notes";
import { requireSize } from "../size";
import type { MeshSources } from "../sources";
import type { FileElement } from "../xml";

export interface MjcfOptions extends MeshSources {
  /** joints with no mass behind them: fixed (default), or the mass [kg] and inertia [kg m²] of their links */
  readonly massless?: MasslessLinks;
}

const mjcfNames = optionNames<MjcfOptions>()("mesh file massless");

/** Sections that are read; what is not read of them is noted by itself. */
const readSections = new Set(
  "compiler option default asset worldbody contact equality tendon actuator keyframe".split(" "),
);

/**
 * Reads MJCF (MuJoCo): bodies, frames and replicas, all joint types, geoms with their mass, classes of defaults, meshes
 * of files and in the text, included files, actuators that drive joints or tendons, tendons with their springs, dampers, friction and limits,
 * equalities of joints, connected and welded bodies, pairs that do not touch, keyframes, sites, gravity and time step. Several joints of a body become a chain of massless links
 * named `body.joint`. `notes` lists all else, and every attribute that was not read.
 *
 * @throws PliantError with the element and its line: unknown class, joint or mesh, a missing attribute or size, two
 * bodies with the same name, a file of more than the limits allow
 */
export async function loadMjcf(text: string, options: MjcfOptions = {}): Promise<LoadedMechanism> {
  requireText(text, "loadMjcf");
  checkNames("loadMjcf", options, mjcfNames);
  const file = await readWithIncludes(text, options.file);
  const compiler = readCompiler(file);
  const root = expandReplicates(file, compiler);
  const notes = new Notes();
  const defaults = new Defaults(root);
  const assets = readMeshAssets(root, compiler, (element) => defaults.fill(element, undefined));
  const meshes = await fetchMeshes(meshUses(root, defaults, assets, compiler), options, notes);
  const reading = { compiler, meshes: new Meshes(assets, meshes), materials: readMaterials(root, defaults), notes };
  const bodies = new Bodies(reading, defaults);
  const world = root.childrenNamed("worldbody");
  for (const element of world) bodies.addWorld(element);
  if (bodies.links.length === 0) throw (world[0] ?? root).error("must have a body", undefined);
  requireSize(root, bodies.links);

  const settled = settleMassless(bodies.links, options.massless ?? "fixed", bodies.elements, notes);
  const joints = namedJoints(settled);
  const transmissions = { joints, tendons: readTendons(root, defaults, joints, bodies.sites, compiler.autoLimits) };
  const { actuators, dampingRatios, order } = readActuators(root, defaults, transmissions, compiler, notes);
  const bounded = boundByJoints(actuators, joints, (joint) =>
    notes.add(root, `actuatorfrcrange of "${joint}" does not bound the sum of its actuators`),
  );
  const couplings = readCouplings(root, defaults, joints, notes);
  const exclusions = readExclusions(root, new Set(settled.map(({ name }) => name)));
  const plain = {
    name: root.attribute("model") ?? "model",
    links: limitEfforts(scaledTo(settled, compiler.totalMass), actuators),
  };
  const closures = readClosures(root, defaults, plain, bodies.sites, notes);
  const mechanism = {
    ...plain,
    ...(closures.length > 0 ? { closures } : {}),
    ...(couplings.length > 0 ? { couplings } : {}),
    ...(exclusions.length > 0 ? { exclusions } : {}),
  };
  const passive = tendonForces(transmissions.tendons.values(), mechanism, notes);
  const keyframes = readKeyframes(root, bodies.joints, mechanism.links, order, passive.length);
  const { gravity, timeStep } = readOption(root);
  for (const section of root.children) if (readSections.has(section.tag)) section.pass();
  notes.addUnread(root);
  return {
    mechanism,
    ground: bodies.ground,
    visuals: bodies.visuals,
    sites: bodies.sites,
    actuators: [...withDampingRatios(mechanism, bounded, dampingRatios), ...passive],
    keyframes,
    gravity,
    timeStep,
    notes: notes.list(),
  };
}

function readOption(root: FileElement): { gravity: Vec3; timeStep: number } {
  const sections = root.childrenNamed("option");
  const flags = sections.flatMap((section) => section.childrenNamed("flag"));
  const isWeightless = flags.map((flag) => flag.attribute("gravity")).findLast((value) => value) === "disable";
  const gravity = sections.map((element) => vector(element, "gravity")).findLast((value) => value);
  const timeStep = sections.map((element) => element.number("timestep")).findLast((value) => value !== undefined);
  if (timeStep !== undefined && !(timeStep > 0)) throw sections[0].error("timestep must be positive", timeStep);
  return { gravity: isWeightless ? [0, 0, 0] : (gravity ?? [0, 0, -9.81]), timeStep: timeStep ?? 0.002 };
}

/** Joints of the file by their names. */
function namedJoints(links: readonly LinkDescription[]): Map<string, JointDescription> {
  return new Map(links.flatMap(({ joint }) => (joint.name === undefined ? [] : [[joint.name, joint] as const])));
}

function readMaterials(root: FileElement, defaults: Defaults): Map<string, readonly number[]> {
  const colors = new Map<string, readonly number[]>();
  for (const raw of root.childrenNamed("asset").flatMap((asset) => asset.childrenNamed("material"))) {
    const element = defaults.fill(raw, undefined);
    const [name, color] = [element.attribute("name"), element.numbers("rgba", 4)];
    element.pass("specular", "shininess", "reflectance", "emission", "metallic", "roughness");
    if (name !== undefined) colors.set(name, color ?? [1, 1, 1, 1]);
  }
  return colors;
}

/** Mesh files of geoms, with those that are only drawn. */
function meshUses(
  root: FileElement,
  defaults: Defaults,
  assets: ReadonlyMap<string, MeshAsset>,
  { inertiaFromGeom, inertiaGroups: [first, last] }: Compiler,
): MeshUse[] {
  const uses: MeshUse[] = [];
  const visit = (body: FileElement, above: string | undefined, weighs: boolean): void => {
    const childClass = body.attribute("childclass") ?? above;
    for (const child of body.children)
      if (child.tag === "frame") visit(child, childClass, weighs);
      else if (child.tag === "body")
        visit(child, childClass, inertiaFromGeom === "true" || (inertiaFromGeom === "auto" && !hasInertial(child)));
      else if (child.tag === "geom") {
        const element = defaults.fill(child, childClass);
        const name = assets.get(element.attribute("mesh") ?? "")?.file;
        if (name === undefined) continue;
        const group = element.number("group") ?? 0;
        const weight = element.number("mass") ?? element.number("density") ?? 1;
        const isHeavy = weighs && weight !== 0 && group >= first && group <= last;
        if (isHeavy || collides(element)) uses.push({ element, name });
        else if (isDrawn(element)) uses.push({ element, name, isDrawn: true });
      }
  };
  for (const world of root.childrenNamed("worldbody")) visit(world, undefined, false);
  return uses;
}

function hasInertial(body: FileElement): boolean {
  return body.children.some(({ tag }, i) => tag === "inertial" || (tag === "frame" && hasInertial(body.children[i])));
}
