import { principalAxes } from "../../../geometry/principal-axes";
import { quickhull } from "../../../collision/hull/quickhull";
import { conjugate, quaternionOfAxes, turn, unitQuaternion } from "../../../math/quaternions";
import type { Quat, Vec3 } from "../../../math/types";
import { checkMesh, type MeshTable } from "../loaded";
import type { MeshData } from "../sources";
import { facetMass, type MassProperties } from "../mass-properties";
import { isDirection, vector, type Compiler } from "./values";
import { matrixOf } from "../transform";
import type { FileElement } from "../xml";

/** A mesh of `<asset>`. */
export interface MeshAsset {
  readonly element: FileElement;
  /** name for the loader of meshes; absent if the vertices are in the file */
  readonly file: string | undefined;
  readonly inline: MeshData | undefined;
}

/** Greatest number of vertices of all geoms together. */
const MAX_VERTICES = 20_000_000;

/** A mesh as geoms use it: the data with shift, rotation and scale of the asset. */
export interface ReadMesh {
  readonly data: { readonly positions: Float64Array; readonly indices: ArrayLike<number> };
  /**
   * The mass for a density of 1; meshes that are only drawn may have none.
   *
   * @throws PliantError for a mesh without a volume
   */
  mass(): MassProperties;
}

/** `<asset><mesh>`: by name, or by the file's name without folder and extension. */
export function readMeshAssets(
  root: FileElement,
  compiler: Compiler,
  fill: (element: FileElement) => FileElement,
): Map<string, MeshAsset> {
  const assets = new Map<string, MeshAsset>();
  for (const raw of root.childrenNamed("asset").flatMap((asset) => asset.childrenNamed("mesh"))) {
    const element = fill(raw);
    element.pass("normal", "texcoord", "smoothnormal", "material", "face", "scale", "refpos", "refquat", "inertia");
    const path = element.attribute("file");
    const vertices = element.numbers("vertex", 12, Infinity);
    if (path === undefined && vertices === undefined) throw element.error("needs a file or vertices", undefined);
    const ending = path?.replace(/^.*[/\\]/, "");
    const name = element.attribute("name") ?? ending?.replace(/\.[^.]*$/, "");
    if (name === undefined) throw element.error("needs a name", undefined);
    if (assets.has(name)) throw element.error("must have a name that no other mesh has", name);
    const file = compiler.stripsFolders ? ending : path;
    const isAbsolute = file !== undefined && /^([/\\]|[a-z][a-z0-9+.-]*:)/i.test(file);
    assets.set(name, {
      element,
      file: file === undefined || isAbsolute ? file : compiler.meshFolder + file,
      inline: vertices === undefined ? undefined : inlineMesh(element, name, vertices),
    });
  }
  return assets;
}

function inlineMesh(element: FileElement, name: string, positions: readonly number[]): MeshData {
  const mesh = { positions, indices: element.numbers("face", 3, Infinity) ?? [] };
  checkMesh(element, name, mesh);
  return mesh;
}

/** The meshes of a file in the axes of geoms, each prepared when it is first used. */
export class Meshes {
  private readonly ready = new Map<string, ReadMesh | undefined>();
  private vertices = 0;

  constructor(
    private readonly assets: ReadonlyMap<string, MeshAsset>,
    private readonly table: MeshTable,
  ) {}

  /**
   * @param element geom with the attribute `mesh`
   * @returns undefined for a mesh that is only drawn and that nobody has
   * @throws PliantError for an unknown mesh
   */
  of(element: FileElement): ReadMesh | undefined {
    const name = element.required("mesh");
    const asset = this.assets.get(name);
    if (asset === undefined) throw element.error("mesh must be one of the file's assets", name);
    if (!this.ready.has(name)) this.ready.set(name, prepare(asset, this.table));
    const mesh = this.ready.get(name);
    this.vertices += (mesh?.data.positions.length ?? 0) / 3;
    if (this.vertices > MAX_VERTICES) throw element.error(`must have at most ${MAX_VERTICES} vertices`, this.vertices);
    return mesh;
  }
}

function prepare({ element, file, inline }: MeshAsset, table: MeshTable): ReadMesh | undefined {
  const given = inline ?? table.get(file!);
  if (given === undefined) return undefined;
  const [scale, shift] = [vector(element, "scale") ?? [1, 1, 1], vector(element, "refpos") ?? [0, 0, 0]];
  const quat = element.numbers("refquat", 4) ?? [1, 0, 0, 0];
  if (!isDirection(quat)) throw element.error("refquat must not be zero", quat);
  const back = conjugate(unitQuaternion([quat[1], quat[2], quat[3], quat[0]]));
  const positions = new Float64Array(given.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const at = [0, 1, 2].map((c) => given.positions[i + c] - shift[c]);
    const [x, y, z] = turn(back, at);
    positions.set([x * scale[0], y * scale[1], z * scale[2]], i);
  }
  const indices = given.indices.length > 0 ? given.indices : hullFaces(positions);
  let mass: MassProperties | undefined;
  return { data: { positions, indices }, mass: () => (mass ??= weigh(element, positions, indices)) };
}

/** MuJoCo has four ways to give a mesh a mass. Without faces, all are that of the hull. */
function weigh(element: FileElement, positions: Float64Array, indices: ArrayLike<number>): MassProperties {
  const way = element.choice("inertia", ["legacy", "exact", "convex", "shell"]) ?? "legacy";
  const faces = way === "convex" ? hullFaces(positions) : indices;
  const mass = facetMass(positions, faces, way === "convex" ? "exact" : way);
  if (!(mass.mass > 0)) throw element.error("must be a mesh that encloses a volume", undefined, "degenerate-geometry");
  return mass;
}

/** Triangles of the convex hull. */
function hullFaces(positions: Float64Array): number[] {
  return quickhull(positions, "mesh").facets.flatMap(({ corners }) => [...corners]);
}

/** Half the sides of a box, and its place in the axes of the mesh. */
export interface FittedBox {
  readonly half: Vec3;
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** The box with the inertia of a mesh, or the one around it, in its principal axes, the longest along z. */
export function boxOf({ data, mass: weight }: ReadMesh, isAround: boolean): FittedBox {
  const mass = weight();
  const { moments, rotation } = principalAxes(mass.inertia);
  const m = matrixOf(rotation);
  const order = [0, 1, 2].sort((a, b) => moments[b] - moments[a]);
  const [x, y] = order.map((axis): Vec3 => [m[axis], m[3 + axis], m[6 + axis]]);
  const z: Vec3 = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const frame = quaternionOfAxes(x, y, z);
  if (!isAround) {
    const [a, b, c] = order.map((axis) => moments[axis]);
    const half = (sum: number): number => Math.sqrt(Math.max(0, (6 * sum) / mass.mass)) / 2;
    return { half: [half(b + c - a), half(a + c - b), half(a + b - c)], position: mass.centre, rotation: frame };
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const { positions } = data;
  for (let i = 0; i < positions.length; i += 3) {
    const local = turn(conjugate(frame), [positions[i], positions[i + 1], positions[i + 2]]);
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c], local[c]);
      high[c] = Math.max(high[c], local[c]);
    }
  }
  const middle = low.map((value, c) => (value + high[c]) / 2);
  return {
    half: [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2],
    position: turn(frame, middle),
    rotation: frame,
  };
}
