import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import { cross, dot, norm, subtract } from "../../math/vectors";
import type { InertiaTensor } from "../description";
import { apply, identity, matrixOf, rotationOntoZ, type Transform } from "./transform";

/**
 * Mass properties of solid shapes of uniform density.
 *
 *   m  mass [kg]        c  center of mass [m]
 *   I  rotational inertia about c [kg m²], row-major 3 × 3
 */
export interface MassProperties {
  readonly mass: number;
  readonly centre: Vec3;
  readonly inertia: readonly number[];
}

export const massless: MassProperties = { mass: 0, centre: [0, 0, 0], inertia: new Array<number>(9).fill(0) };

/** The six numbers of a description: xx, yy, zz, xy, xz, yz. */
export function inertiaNumbers(i: readonly number[]): InertiaTensor {
  return [i[0], i[4], i[8], i[1], i[2], i[5]];
}

/** A full matrix from xx, yy, zz, xy, xz, yz. */
export function inertiaMatrix([xx, yy, zz, xy, xz, yz]: readonly number[]): number[] {
  return [xx, xy, xz, xy, yy, yz, xz, yz, zz];
}

/** R I Rᵀ: the inertia in the axes to which R maps. */
export function rotateInertia(inertia: readonly number[], r: readonly number[]): number[] {
  const out = new Array<number>(9).fill(0);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 3; k++)
        for (let l = 0; l < 3; l++) out[3 * i + j] += r[3 * i + k] * inertia[3 * k + l] * r[3 * j + l];
  return out;
}

/** The same body in the frame to which `transform` maps. */
export function transformed(body: MassProperties, transform: Transform): MassProperties {
  return {
    mass: body.mass,
    centre: apply(transform, body.centre),
    inertia: rotateInertia(body.inertia, matrixOf(transform.rotation)),
  };
}

/** Several bodies as one: Steiner's rule about the common center. */
export function combined(bodies: readonly MassProperties[]): MassProperties {
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0);
  if (mass === 0) return massless;
  const centre = [0, 1, 2].map(
    (axis) => bodies.reduce((sum, body) => sum + body.mass * body.centre[axis], 0) / mass,
  ) as unknown as Vec3;
  const inertia = new Array<number>(9).fill(0);
  for (const body of bodies) {
    const d = body.centre.map((value, axis) => value - centre[axis]);
    const squared = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
    for (let i = 0; i < 9; i++) {
      const [row, column] = [Math.floor(i / 3), i % 3];
      inertia[i] += body.inertia[i] + body.mass * ((row === column ? squared : 0) - d[row] * d[column]);
    }
  }
  return { mass, centre, inertia };
}

/**
 * Mass properties of a solid shape.
 *
 * @param density [kg/m³]
 * @returns undefined for shapes without a formula: hulls (use `meshMass` of their triangles), heightfields, containers
 */
export function solidMass(shape: ColliderShape, density: number): MassProperties | undefined {
  switch (shape.type) {
    case "sphere": {
      const mass = (4 / 3) * Math.PI * shape.radius * shape.radius * shape.radius * density;
      const i = 0.4 * mass * shape.radius ** 2;
      return { mass, centre: shape.center ?? [0, 0, 0], inertia: [i, 0, 0, 0, i, 0, 0, 0, i] };
    }
    case "box": {
      const [a, b, c] = shape.halfExtents;
      const mass = 8 * a * b * c * density;
      const inertia = [mass * (b * b + c * c), 0, 0, 0, mass * (a * a + c * c), 0, 0, 0, mass * (a * a + b * b)];
      const local = { mass, centre: [0, 0, 0] as const, inertia: inertia.map((value) => value / 3) };
      const { position, rotation } = identity;
      return transformed(local, { position: shape.center ?? position, rotation: shape.rotation ?? rotation });
    }
    case "capsule":
    case "cylinder":
      return roundMass(shape.pointA, shape.pointB, shape.radius, density, shape.type === "capsule");
    case "mesh":
      return meshMass(shape.positions, shape.indices, density);
    default:
      return undefined;
  }
}

/** Mass properties of a cylinder between two points, with half balls at its ends if it is a capsule. */
function roundMass(a: Vec3, b: Vec3, r: number, density: number, capsule: boolean): MassProperties {
  const along: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const h = norm(along);
  const cylinder = Math.PI * r * r * h * density;
  const ball = capsule ? (4 / 3) * Math.PI * r * r * r * density : 0;
  // The centroid of a half ball is 3/8 r beyond the end; both halves together have the inertia of a ball about their
  // own centroids.
  const across = cylinder * (h * h * (1 / 12) + (r * r) / 4) + ball * (0.4 * r * r + (h * h) / 4 + (3 / 8) * h * r);
  const about = cylinder * 0.5 * r * r + ball * 0.4 * r * r;
  const local = {
    mass: cylinder + ball,
    centre: [0, 0, 0] as const,
    inertia: [across, 0, 0, 0, across, 0, 0, 0, about],
  };
  return transformed(local, {
    position: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2],
    rotation: h > 0 ? rotationOntoZ(along) : identity.rotation,
  });
}

/**
 * Volume integrals of a closed triangle mesh, as a sum over the tetrahedra that each triangle spans with the origin:
 * ∫ x xᵀ dV = V/20 (Σ vᵢ vᵢᵀ + s sᵀ) with s = v₁ + v₂ + v₃.
 *
 * @returns undefined if the volume is zero
 */
export function meshMass(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  density: number,
): MassProperties | undefined {
  let volume = 0;
  const first = [0, 0, 0];
  const second = new Array<number>(9).fill(0);
  for (let f = 0; f < indices.length; f += 3) {
    const v = [0, 1, 2].map((corner) => [0, 1, 2].map((axis) => positions[3 * indices[f + corner] + axis]));
    const s = [0, 1, 2].map((axis) => v[0][axis] + v[1][axis] + v[2][axis]);
    const tetrahedron =
      (v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
        v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
        v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0])) /
      6;
    volume += tetrahedron;
    for (let i = 0; i < 3; i++) {
      first[i] += (tetrahedron * s[i]) / 4;
      for (let j = 0; j < 3; j++) {
        let sum = s[i] * s[j];
        for (const corner of v) sum += corner[i] * corner[j];
        second[3 * i + j] += (tetrahedron * sum) / 20;
      }
    }
  }
  if (!(Math.abs(volume) > 0)) return undefined;
  // All integrals of a mesh that is wound inside out are negative.
  const sign = Math.sign(volume) * density;
  const mass = sign * volume;
  const centre = first.map((value) => value / volume) as unknown as Vec3;
  const trace = second[0] + second[4] + second[8];
  const squared = centre[0] ** 2 + centre[1] ** 2 + centre[2] ** 2;
  const inertia = second.map((value, i) => {
    const [row, column] = [Math.floor(i / 3), i % 3];
    const diagonal = row === column;
    return sign * ((diagonal ? trace : 0) - value) - mass * ((diagonal ? squared : 0) - centre[row] * centre[column]);
  });
  return { mass, centre, inertia };
}

/**
 * Mass properties of a mesh of density 1 as MuJoCo's: "exact" has the center of mass of the tetrahedra between the
 * triangles and their common center, and the mass and inertia of those between the center of mass and the triangles;
 * "legacy" takes all of these as positive; "shell" is the sum of the triangles, of 1 kg/m². All hold for open meshes.
 */
export function facetMass(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  way: "legacy" | "exact" | "shell",
): MassProperties {
  const corner = (index: number): Vec3 => [positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]];
  const faces = Array.from({ length: indices.length / 3 }, (_, f) => {
    const [a, b, c] = [corner(indices[3 * f]), corner(indices[3 * f + 1]), corner(indices[3 * f + 2])];
    const normal = cross(subtract(b, a), subtract(c, a));
    return { corners: [a, b, c] as const, mass: norm(normal) / 2, normal };
  });
  const shell = sumOfSimplices(faces);
  if (way === "shell") return shell;
  const volume = (face: (typeof faces)[number], apex: Vec3): number =>
    dot(face.normal, subtract(face.corners[0], apex)) / 6;
  // All volumes of a mesh that is wound inside out are negative.
  const sign = faces.reduce((sum, face) => sum + volume(face, shell.centre), 0) < 0 ? -1 : 1;
  const solid = (apex: Vec3): MassProperties =>
    sumOfSimplices(
      faces.map((face) => {
        const signed = sign * volume(face, apex);
        return { corners: [...face.corners, apex], mass: way === "legacy" ? Math.abs(signed) : signed };
      }),
      apex,
    );
  const { centre } = solid(shell.centre);
  return { ...solid(centre), centre };
}

/**
 * Triangles or tetrahedra of uniform density: ∫ x xᵀ dm = m / (n (n + 1)) (Σ vᵢ vᵢᵀ + s sᵀ), s the sum of n corners.
 *
 * @param about point of reference of the inertia, default the center of mass
 */
function sumOfSimplices(
  parts: readonly { readonly corners: readonly Vec3[]; readonly mass: number }[],
  about?: Vec3,
): MassProperties {
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  if (!(mass > 0)) return massless;
  const centre = [0, 1, 2].map(
    (axis) =>
      parts.reduce((sum, part) => {
        const mean = part.corners.reduce((total, corner) => total + corner[axis], 0) / part.corners.length;
        return sum + part.mass * mean;
      }, 0) / mass,
  ) as unknown as Vec3;
  const second = new Array<number>(9).fill(0);
  for (const { corners, mass: weight } of parts) {
    const v = corners.map((corner) => subtract(corner, about ?? centre));
    const s = [0, 1, 2].map((axis) => v.reduce((sum, corner) => sum + corner[axis], 0));
    const scale = weight / (v.length * (v.length + 1));
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const products = v.reduce((sum, corner) => sum + corner[i] * corner[j], 0);
        second[3 * i + j] += scale * (products + s[i] * s[j]);
      }
  }
  const trace = second[0] + second[4] + second[8];
  return { mass, centre, inertia: second.map((value, i) => (i % 4 === 0 ? trace : 0) - value) };
}

/** A solid ellipsoid about the origin. @param density [kg/m³] */
export function ellipsoidMass([a, b, c]: Vec3, density: number): MassProperties {
  const mass = (4 / 3) * Math.PI * a * b * c * density;
  const inertia = [mass * (b * b + c * c), 0, 0, 0, mass * (a * a + c * c), 0, 0, 0, mass * (a * a + b * b)];
  return { mass, centre: [0, 0, 0], inertia: inertia.map((value) => value / 5) };
}
