import { IDENTITY } from "../../collision/shape/affine";
import { shapeMoments } from "../../collision/shape/moments";
import type { ColliderShape } from "../../collision/shape/shape";
import type { Vec3 } from "../../math/types";
import { cross, dot, norm, subtract } from "../../math/vectors";
import type { InertiaTensor } from "../description";
import { apply, identity, matrixOf, type Transform } from "./transform";

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
    case "sphere":
    case "box":
      return massAbout(shape.center ?? identity.position, shape, IDENTITY.a, density);
    case "capsule":
    case "cylinder": {
      const { pointA: a, pointB: b } = shape;
      const middle: Vec3 = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
      return massAbout(middle, shape, IDENTITY.a, density);
    }
    case "mesh":
      return meshMass(shape.positions, shape.indices, density);
    default:
      return undefined;
  }
}

/** Mass properties of a shape whose center is known, stretched by a matrix. */
function massAbout(centre: Vec3, shape: ColliderShape, a: readonly number[], density: number): MassProperties {
  const [x, y, z] = centre;
  const { volume, second } = shapeMoments(shape, { a, t: [-x, -y, -z] });
  return { mass: density * volume, centre, inertia: tensorOf(second.map((value) => density * value)) };
}

/** The tensor of inertia that goes with ∫ x xᵀ dm. */
function tensorOf(second: readonly number[]): number[] {
  const trace = second[0] + second[4] + second[8];
  return second.map((value, i) => (i % 4 === 0 ? trace : 0) - value);
}

interface Face {
  readonly corners: readonly [Vec3, Vec3, Vec3];
  /** twice its area [m²], out of a mesh that is wound as it should be */
  readonly normal: Vec3;
}

function facesOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Face[] {
  const corner = (index: number): Vec3 => [positions[3 * index], positions[3 * index + 1], positions[3 * index + 2]];
  return Array.from({ length: indices.length / 3 }, (_, f) => {
    const [a, b, c] = [corner(indices[3 * f]), corner(indices[3 * f + 1]), corner(indices[3 * f + 2])];
    return { corners: [a, b, c], normal: cross(subtract(b, a), subtract(c, a)) };
  });
}

/** Volumes of the tetrahedra between faces and a point; all of a mesh that is wound inside out are negative. */
function volumesOf(faces: readonly Face[], apex: Vec3): number[] {
  return faces.map(({ normal, corners }) => dot(normal, subtract(corners[0], apex)) / 6);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * Mass properties of the solid inside a closed mesh, from the tetrahedra that each triangle spans with the origin.
 *
 * @returns undefined if the volume is zero
 */
export function meshMass(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  density: number,
): MassProperties | undefined {
  const faces = facesOf(positions, indices);
  const volumes = volumesOf(faces, identity.position);
  const volume = sumOf(volumes);
  if (!(Math.abs(volume) > 0)) return undefined;
  const scale = Math.sign(volume) * density;
  return sumOfSimplices(
    faces.map(({ corners }, f) => ({ corners: [...corners, identity.position], mass: scale * volumes[f] })),
  );
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
  const faces = facesOf(positions, indices);
  const shell = sumOfSimplices(faces.map(({ corners, normal }) => ({ corners, mass: norm(normal) / 2 })));
  if (way === "shell") return shell;
  const sign = sumOf(volumesOf(faces, shell.centre)) < 0 ? -1 : 1;
  const solid = (apex: Vec3): MassProperties => {
    const volumes = volumesOf(faces, apex).map((value) => (way === "legacy" ? Math.abs(value) : sign * value));
    return sumOfSimplices(
      faces.map(({ corners }, f) => ({ corners: [...corners, apex], mass: volumes[f] })),
      apex,
    );
  };
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
  return { mass, centre, inertia: tensorOf(second) };
}

/** A solid ellipsoid about the origin. @param density [kg/m³] */
export function ellipsoidMass([a, b, c]: Vec3, density: number): MassProperties {
  return massAbout(identity.position, { type: "sphere", radius: 1 }, [a, 0, 0, 0, b, 0, 0, 0, c], density);
}
