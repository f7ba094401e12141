import { checkList } from "../../checks";
import { invalid, outOfRange, PliantError } from "../../errors";
import type { Vec3 } from "../../math/types";
import { checkNames, optionNames } from "../../option-names";
import type { DeformableBody } from "../body";
import { finiteVector, notNegative } from "../rigid/checks";
import type { RigidBody } from "../rigid/rigid-body";

/** Vertices of another deformable body, in the order of the attached ones. */
export interface VertexTarget {
  readonly body: DeformableBody;
  readonly vertices: ArrayLike<number>;
}

/** A rigid body, or the body of a mechanism's link. */
export interface RigidTarget {
  readonly rigid: RigidBody;
  /** a point of the body for each vertex, in the body's axes [m]; default: the present places of the vertices */
  readonly points?: readonly Vec3[] | undefined;
}

export interface AttachmentOptions {
  readonly body: DeformableBody;
  /** attached vertices of `body` */
  readonly vertices: ArrayLike<number>;
  /** the object that they are attached to */
  readonly to: VertexTarget | RigidTarget;
  /** distance of each vertex from its place under a force of 1 N [m/N]; default 0 */
  readonly compliance?: number | undefined;
  /** force at which a vertex comes off, as the mean of a step [N]; default: none */
  readonly breakingForce?: number | undefined;
}

const attachmentOptionNames = optionNames<AttachmentOptions>()("body vertices to compliance breakingForce");

const vertexTargetNames = optionNames<VertexTarget>()("body vertices");
const rigidTargetNames = optionNames<RigidTarget>()("rigid points");

/** Options that were checked, with their defaults. */
export interface ResolvedAttachment {
  readonly body: DeformableBody;
  readonly vertices: readonly number[];
  readonly to:
    | { readonly body: DeformableBody; readonly vertices: readonly number[] }
    | { readonly rigid: RigidBody; readonly points: readonly Vec3[] | undefined };
  readonly compliance: number;
  /** infinite for none */
  readonly breakingForce: number;
}

/**
 * @param bodies deformable bodies of the world
 * @throws PliantError as `addAttachment`
 */
export function checkAttachment(
  options: AttachmentOptions,
  bodies: readonly DeformableBody[],
  rigids: readonly RigidBody[],
): ResolvedAttachment {
  checkNames("attachment", options, attachmentOptionNames);
  const { body, to, compliance = 0, breakingForce = Infinity } = options;
  const vertices = checkVertices("attachment", body, options.vertices, bodies);
  notNegative("attachment.compliance", compliance);
  if (!(breakingForce > 0)) throw invalid("attachment.breakingForce", breakingForce, "must be positive");
  if (vertices.length === 0) throw invalid("attachment.vertices", 0, "must be at least one vertex");
  if (typeof to !== "object" || to === null) throw invalid("attachment.to", to, "must be a rigid body or vertices");
  const common = { body, vertices, compliance, breakingForce };
  if ("rigid" in to && new Set(vertices).size < vertices.length)
    throw invalid("attachment.vertices", vertices, "must not name a vertex twice");
  if ("rigid" in to) return { ...common, to: checkRigid(to, vertices.length, rigids) };
  checkNames("attachment.to", to, vertexTargetNames);
  const others = checkVertices("attachment.to", to.body, to.vertices, bodies);
  if (others.length !== vertices.length)
    throw invalid(
      "attachment.to.vertices",
      others.length,
      `must be as many as the attached vertices, ${vertices.length}`,
    );
  vertices.forEach((vertex, k) => {
    if (to.body === body && vertex === others[k])
      throw invalid("attachment.to.vertices", vertex, "must not be the attached vertex itself");
  });
  return { ...common, to: { body: to.body, vertices: others } };
}

function checkVertices(
  object: string,
  body: DeformableBody,
  given: ArrayLike<number>,
  bodies: readonly DeformableBody[],
): readonly number[] {
  if (!bodies.includes(body))
    throw new PliantError("disposed", `${object}.body`, body?.name, "must be a deformable body of the world");
  checkList(given, `${object}.vertices`);
  const vertices = Array.from(given);
  const { masses } = body.model;
  for (const vertex of vertices)
    if (!(Number.isInteger(vertex) && masses[vertex] > 0))
      throw outOfRange(
        `${object}.vertices of "${body.name}"`,
        vertex,
        `must be a vertex of the body, below ${masses.length}`,
      );
  return vertices;
}

function checkRigid(
  to: RigidTarget,
  count: number,
  rigids: readonly RigidBody[],
): { readonly rigid: RigidBody; readonly points: readonly Vec3[] | undefined } {
  checkNames("attachment.to", to, rigidTargetNames);
  const { rigid, points } = to;
  if (!rigids.includes(rigid))
    throw new PliantError("disposed", "attachment.to.rigid", rigid?.name, "must be a rigid body of the world");
  if (points && points.length !== count)
    throw invalid("attachment.to.points", points.length, `must be as many as the attached vertices, ${count}`);
  points?.forEach((point, k) => finiteVector(`attachment.to.points[${k}]`, point));
  return { rigid, points };
}
