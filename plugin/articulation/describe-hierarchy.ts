import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { invalid } from "../../src/errors";
import { checkNames } from "../../src/option-names";
import { requireKind } from "../plugin-of";
import type { LinkDescription, MechanismDescription, Vec3 } from "../../src/index";
import { requireFiniteVector, toQuat, toVec3 } from "../geometry/convert";
import { poseOfMatrix, worldMatrixOf } from "../rigid/node-pose";
import { frameOf } from "../scene-frame";
import { hierarchyLinkNames, type HierarchyLink } from "./articulation-options";

/** Default density, kg/m³. */
const DENSITY = 1000;
/** Least half extent of a box for a mesh, m. */
const THINNEST = 1e-3;

/**
 * Describes a mechanism from a hierarchy of nodes in its present pose: every node that `links` names becomes a link,
 * held by the nearest link above it. Other nodes move along with the link above them.
 *
 * @param links by the names of the nodes, each the root or a node below it
 * @returns the description, in world space, and the node of each link
 * @throws PliantError for a name of no node, or of several nodes, a mass that is not positive, or a link without a size
 */
export function describeHierarchy(
  root: TransformNode,
  links: Readonly<Record<string, HierarchyLink>>,
): { mechanism: MechanismDescription; nodes: Record<string, TransformNode> } {
  requireKind("describeHierarchy", root, "getChildTransformNodes", "a node");
  const object = `describeHierarchy "${root.name}"`;
  const below = [root, ...root.getChildTransformNodes(false)];
  const nodes: Record<string, TransformNode> = {};
  for (const name of Object.keys(links)) {
    const found = below.filter((node) => node.name === name);
    if (found.length !== 1) throw invalid(`${object}.links`, name, "must be the name of exactly one node");
    checkNames(`${object}.links.${name}`, links[name], hierarchyLinkNames);
    nodes[name] = found[0];
  }
  if (Object.keys(nodes).length === 0) throw invalid(`${object}.links`, 0, "must name at least one node");
  const isLink = (node: TransformNode): boolean => nodes[node.name] === node;
  const ordered = below.filter(isLink);
  return {
    mechanism: { name: root.name, links: ordered.map((node) => describeLink(object, node, links[node.name], isLink)) },
    nodes,
  };
}

function describeLink(
  object: string,
  node: TransformNode,
  { joint, pivot: given = Vector3.Zero(), mass, density = DENSITY, shapes }: HierarchyLink,
  isLink: (node: TransformNode) => boolean,
): LinkDescription {
  requireFiniteVector(`${object}: link "${node.name}".pivot`, given);
  const pivot = given.scale(1 / unitsOf(node));
  const parent = linkAbove(node, isLink);
  const pose = rigidMatrix(node);
  const joined = Matrix.Translation(pivot.x, pivot.y, pivot.z).multiply(pose);
  const inParent = parent === undefined ? joined : joined.multiply(Matrix.Invert(rigidMatrix(parent)));
  const { position, rotation } = poseOfMatrix(inParent);
  const boxes = meshBoxes(node, isLink);
  const body = boxMass(boxes, mass, density);
  if (!(body.mass > 0 && Number.isFinite(body.mass)))
    throw invalid(`${object}: link "${node.name}".mass`, body.mass, "must be positive");
  return {
    name: node.name,
    ...(parent === undefined ? {} : { parent: parent.name }),
    joint: {
      type: "weld",
      ...joint,
      parentFrame: { position: toVec3(position), rotation: toQuat(rotation) },
      childFrame: { position: toVec3(pivot) },
    },
    ...body,
    shapes: shapes ?? boxes.map((box) => ({ shape: { type: "box", halfExtents: box.half }, position: box.centre })),
  };
}

function linkAbove(node: TransformNode, isLink: (node: TransformNode) => boolean): TransformNode | undefined {
  for (let at = node.parent as TransformNode | null; at !== null; at = at.parent as TransformNode | null)
    if (isLink(at)) return at;
  return undefined;
}

/** World matrix of a node without its scaling, in meters. */
function rigidMatrix(node: TransformNode): Matrix {
  const { position, rotation } = poseOfMatrix(worldMatrixOf(node));
  return Matrix.Compose(Vector3.One(), rotation, position.scaleInPlace(1 / unitsOf(node)));
}

/** Units of the scene in a meter. */
const unitsOf = (node: TransformNode): number => frameOf(node.getScene()).unitsPerMetre;

interface Box {
  readonly centre: Vec3;
  readonly half: Vec3;
}

/** Boxes, in the rigid axes of the node, around each mesh that moves with it. */
function meshBoxes(node: TransformNode, isLink: (node: TransformNode) => boolean): Box[] {
  const toNode = Matrix.Invert(rigidMatrix(node));
  const meshes = [
    node,
    ...node.getChildTransformNodes(false, (child) => carrier(child as TransformNode, isLink) === node),
  ];
  return meshes.flatMap((mesh) => {
    if (!(mesh instanceof AbstractMesh) || mesh.getTotalVertices() === 0) return [];
    const { minimum, maximum } = mesh.getBoundingInfo().boundingBox;
    const metres = 1 / unitsOf(mesh);
    const toLocal = worldMatrixOf(mesh)
      .multiply(Matrix.Scaling(metres, metres, metres))
      .multiply(toNode);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
      Vector3.TransformCoordinates(
        new Vector3(k & 1 ? maximum.x : minimum.x, k & 2 ? maximum.y : minimum.y, k & 4 ? maximum.z : minimum.z),
        toLocal,
      ),
    );
    const low = corners.reduce((a, b) => Vector3.Minimize(a, b));
    const high = corners.reduce((a, b) => Vector3.Maximize(a, b));
    const half = high.subtract(low).scaleInPlace(0.5);
    return [
      {
        centre: toVec3(Vector3.Center(low, high)),
        half: [Math.max(THINNEST, half.x), Math.max(THINNEST, half.y), Math.max(THINNEST, half.z)] as const,
      },
    ];
  });
}

/** The link that a node moves with: the node itself or the nearest link above. */
function carrier(node: TransformNode, isLink: (node: TransformNode) => boolean): TransformNode | undefined {
  return isLink(node) ? node : linkAbove(node, isLink);
}

/** Mass, center and inertia of solid boxes. */
function boxMass(
  boxes: readonly Box[],
  given: number | undefined,
  density: number,
): Pick<LinkDescription, "mass" | "centerOfMass" | "inertia"> {
  const volumes = boxes.map(({ half }) => 8 * half[0] * half[1] * half[2]);
  const volume = volumes.reduce((sum, v) => sum + v, 0);
  const mass = given ?? density * volume;
  // Without a mesh the size is unknown: a ball with a radius of 10 cm is assumed.
  if (volume === 0) return { mass, inertia: [0.4 * mass * 1e-2, 0.4 * mass * 1e-2, 0.4 * mass * 1e-2, 0, 0, 0] };
  const centre = [0, 1, 2].map((c) => boxes.reduce((sum, box, i) => sum + (volumes[i] / volume) * box.centre[c], 0));
  const inertia = [0, 0, 0, 0, 0, 0];
  boxes.forEach(({ half, centre: at }, i) => {
    const m = (mass * volumes[i]) / volume;
    const d = at.map((value, c) => value - centre[c]);
    const s = half.map((h, c) => (m * h * h) / 3 + m * d[c] * d[c]);
    inertia[0] += s[1] + s[2];
    inertia[1] += s[0] + s[2];
    inertia[2] += s[0] + s[1];
    inertia[3] -= m * d[0] * d[1];
    inertia[4] -= m * d[0] * d[2];
    inertia[5] -= m * d[1] * d[2];
  });
  return {
    mass,
    centerOfMass: centre as unknown as Vec3,
    inertia: inertia as unknown as [number, number, number, number, number, number],
  };
}
