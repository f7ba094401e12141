import { checkFinite } from "../../checks";
import { invalid, nonFinite, unsupported } from "../../errors";
import { compose, transformPoint, transformPoints, type Affine } from "../../collision/shape/affine";
import type { Convex } from "../../collision/narrow/shapes/convex";
import { hullOf } from "../../collision/narrow/shapes/hull-faces";
import { boxPoints } from "../../collision/shape/tessellation";
import { checkOptionalRotation, validateShape, type ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import type { LinkShape } from "../description";
import { WORLD } from "../model";
import type { ArticulatedScratch } from "../scratch";
import { boxPolytope, cylinderPolytope } from "./polytope";
import { lengthOf } from "../../math/vectors";

/** A point, a segment or a polytope, each rounded by a radius. */
export const PartKind = { Point: 0, Segment: 1, Polytope: 2 } as const;

/** A convex piece of the shape of a link, or of the world, with its features in world space. */
export class Part {
  /** Points of the core in the world, 3 each: one, two, or the corners of the polytope. */
  readonly points = new Float64Array(this.local.length);
  /** Normals of the faces in the world, 3 each, and n·x on each face. */
  readonly normals: Float64Array;
  readonly offsets: Float64Array;
  /** Box around it in the world: least x, y, z, then greatest. */
  readonly bounds = new Float64Array(6);

  constructor(
    readonly kind: number,
    /** -1: the world */
    readonly link: number,
    readonly radius: number,
    /** Points of the core in the link's axes. */
    readonly local: Float64Array,
    readonly polytope: Convex | undefined,
    public friction: number,
    public restitution: number,
    /** Bits, see `LinkShape`. */
    readonly category = 1,
    readonly meets = 1,
  ) {
    this.normals = new Float64Array(polytope === undefined ? 0 : polytope.faceNormals.length);
    this.offsets = new Float64Array(polytope === undefined ? 0 : polytope.faceOffsets.length);
    if (link === WORLD) this.place(IDENTITY, 0, ORIGIN, 0);
  }

  /** Moves the features to the link's pose. Call after `updatePositions`. */
  follow(scratch: ArticulatedScratch): void {
    if (this.link !== WORLD) this.place(scratch.linkRotation, 9 * this.link, scratch.linkPosition, 3 * this.link);
  }

  private place(R: Float64Array, r: number, t: Float64Array, o: number): void {
    const { local, points, bounds, radius, polytope, normals, offsets } = this;
    bounds[0] = bounds[1] = bounds[2] = Infinity;
    bounds[3] = bounds[4] = bounds[5] = -Infinity;
    for (let i = 0; i < local.length; i += 3)
      for (let c = 0; c < 3; c++) {
        const row = r + 3 * c;
        const x = t[o + c] + R[row] * local[i] + R[row + 1] * local[i + 1] + R[row + 2] * local[i + 2];
        points[i + c] = x;
        if (x - radius < bounds[c]) bounds[c] = x - radius;
        if (x + radius > bounds[3 + c]) bounds[3 + c] = x + radius;
      }
    if (polytope === undefined) return;
    const { faceNormals, faceOffsets } = polytope;
    for (let f = 0; f < faceOffsets.length; f++) {
      let offset = faceOffsets[f];
      for (let c = 0; c < 3; c++) {
        const row = r + 3 * c;
        const n =
          R[row] * faceNormals[3 * f] + R[row + 1] * faceNormals[3 * f + 1] + R[row + 2] * faceNormals[3 * f + 2];
        normals[3 * f + c] = n;
        offset += n * t[o + c];
      }
      offsets[f] = offset;
    }
  }
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const ORIGIN = new Float64Array(3);

/**
 * Convex parts of the shapes of a link. Meshes count as convex: they are replaced by their hulls. A cylinder becomes a
 * prism with 16 sides, a container becomes its children.
 *
 * @param link -1 for shapes of the world
 * @param friction default coefficient of shapes
 * @param restitution default coefficient of shapes
 * @throws PliantError `unsupported` for heightfields, otherwise as `validateShape`, and for coefficients out of range
 */
export function compileParts(
  shapes: readonly LinkShape[],
  link: number,
  object: string,
  friction: number,
  restitution: number,
): Part[] {
  return shapes.flatMap((entry, index) => {
    const name = `${object}.shapes[${index}]`;
    validateShape(entry.shape, name);
    checkPosition(entry.position, `${name}.position`);
    checkOptionalRotation(entry.rotation, `${name}.rotation`);
    const mu = checkCoefficient(entry.friction ?? friction, Infinity, `${name}.friction`);
    const e = checkCoefficient(entry.restitution ?? restitution, 1, `${name}.restitution`);
    const frame = compose(NO_FRAME, entry.position, entry.rotation);
    return partsOf(entry.shape, frame, name).map(
      ({ kind, radius, local, polytope }) =>
        new Part(kind, link, radius, local, polytope, mu, e, entry.category, entry.meets),
    );
  });
}

function checkPosition(position: Vec3 | undefined, object: string): void {
  if (position === undefined) return;
  if (position.length !== 3) throw invalid(object, position, "must be three numbers");
  if (!position.every(Number.isFinite)) throw nonFinite(object, position, "must be finite");
}

/** @throws PliantError `non-finite` or `invalid-argument` unless 0 ≤ value ≤ most */
export function checkCoefficient(value: number, most: number, object: string): number {
  checkFinite(value, object);
  if (value < 0 || value > most) {
    const rule = most === Infinity ? "must not be negative" : `must be from 0 to ${most}`;
    throw invalid(object, value, rule);
  }
  return value;
}

const NO_FRAME: Affine = { a: [1, 0, 0, 0, 1, 0, 0, 0, 1], t: [0, 0, 0] };

interface LocalPart {
  kind: number;
  radius: number;
  local: Float64Array;
  polytope?: Convex;
}

function partsOf(shape: ColliderShape, frame: Affine, object: string): LocalPart[] {
  const at = (p: Vec3): Float64Array => Float64Array.from(transformPoint(frame, p));
  switch (shape.type) {
    case "sphere":
      return [
        { kind: PartKind.Point, radius: shape.radius * uniform(frame, object), local: at(shape.center ?? [0, 0, 0]) },
      ];
    case "capsule": {
      const local = Float64Array.of(...at(shape.pointA), ...at(shape.pointB));
      const [dx, dy, dz] = [local[3] - local[0], local[4] - local[1], local[5] - local[2]];
      const radius = shape.radius * uniform(frame, object);
      if (lengthOf(dx, dy, dz) < 1e-12 * radius) return [{ kind: PartKind.Point, radius, local: local.slice(0, 3) }];
      return [{ kind: PartKind.Segment, radius, local }];
    }
    case "box": {
      const inner = compose(frame, shape.center, shape.rotation);
      const skew = inner.a.some(
        (_, i) => Math.abs(columnProduct(inner.a, i % 3, Math.floor(i / 3)) - (i % 4 === 0 ? 1 : 0)) > 1e-12,
      );
      if (!skew) return [polytopePart(boxPolytope(shape.halfExtents, inner.a, inner.t))];
      return [polytopePart(hullOf(transformPoints(inner, boxPoints(shape.halfExtents)), object))];
    }
    case "cylinder": {
      const prism = cylinderPolytope(shape.pointA, shape.pointB, shape.radius, object);
      return [polytopePart(hullOf(transformPoints(frame, prism.vertices), object))];
    }
    case "convex-hull":
    case "mesh":
      return [
        polytopePart(
          hullOf(
            transformPoints(frame, shape.positions),
            object,
            shape.type === "mesh" ? undefined : shape.maxVertices,
          ),
        ),
      ];
    case "container":
      return shape.children.flatMap((child, i) =>
        partsOf(child.shape, compose(frame, child.position, child.rotation, child.scale), `${object}.children[${i}]`),
      );
    default:
      throw unsupported(object, shape.type, "must be a convex shape or a container of such");
  }
}

function polytopePart(polytope: Convex): LocalPart {
  return { kind: PartKind.Polytope, radius: 0, local: polytope.vertices, polytope };
}

/** Factor by which the frame scales lengths; round shapes require a uniform factor. */
function uniform({ a }: Affine, object: string): number {
  const lengths = [0, 1, 2].map((column) => lengthOf(a[column], a[3 + column], a[6 + column]));
  if (Math.max(...lengths) - Math.min(...lengths) > 1e-9 * lengths[0])
    throw unsupported(object, lengths, "a round shape must be scaled by the same factor along all axes");
  return lengths[0];
}

function columnProduct(a: readonly number[], i: number, j: number): number {
  return a[i] * a[j] + a[3 + i] * a[3 + j] + a[6 + i] * a[6 + j];
}
