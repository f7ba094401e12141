import { after, compose, IDENTITY, transformPoint, type Affine } from "../../../collision/shape/affine";
import type { Quat, Vec3 } from "../../../math/types";
import type { FileLoader, MeshData } from "../sources";
import { MAX_TRIANGLES, type Refuse } from "./limits";

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const TRIANGLES = 4;
const FLOAT = 5126;
const INDEX_SIZES: Readonly<Record<number, number>> = { 5121: 1, 5123: 2, 5125: 4 };

/** The parts of a glTF document that hold triangles. The document may lie: every part is checked on use. */
interface Document {
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: Node[];
  meshes?: { primitives?: Primitive[] }[];
  accessors?: Accessor[];
  bufferViews?: { buffer?: number; byteOffset?: number; byteLength?: number; byteStride?: number }[];
  buffers?: ({ uri?: string } | null)[];
  extensionsRequired?: string[];
}
interface Node {
  mesh?: number;
  children?: number[];
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}
interface Primitive {
  mode?: number;
  indices?: number;
  attributes?: { POSITION?: number };
}
interface Accessor {
  bufferView?: number;
  byteOffset?: number;
  componentType?: number;
  count?: number;
  type?: string;
  sparse?: unknown;
}

/** Reads all triangles of the scene of a glTF file, in the axes of the scene. */
export async function readGltf(name: string, bytes: Uint8Array, file: FileLoader, refuse: Refuse): Promise<MeshData> {
  const { document, binary } = readContainer(bytes, refuse);
  const [required] = list(document.extensionsRequired);
  if (required !== undefined) refuse("must not need extensions", required);
  const buffers: (Uint8Array | undefined)[] = [];
  for (const buffer of list(document.buffers)) buffers.push(await readBuffer(name, buffer?.uri, binary, file, refuse));
  try {
    return new Scene(document, buffers, refuse).read();
  } catch (error) {
    if (error instanceof TypeError) return refuse("must be glTF", error.message);
    throw error;
  }
}

function readContainer(bytes: Uint8Array, refuse: Refuse): { document: Document; binary: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let json = bytes;
  let binary: Uint8Array | undefined;
  if (bytes.length >= 20 && view.getUint32(0, true) === MAGIC) {
    const length = view.getUint32(12, true);
    if (view.getUint32(16, true) !== JSON_CHUNK || 20 + length > bytes.length) refuse("must begin with JSON", length);
    json = bytes.subarray(20, 20 + length);
    if (bytes.length >= 28 + length) {
      const size = view.getUint32(20 + length, true);
      binary = bytes.subarray(28 + length, 28 + length + size);
    }
  }
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(json));
    if (typeof document === "object" && document !== null) return { document, binary };
  } catch {
    // The message of the parser differs between engines.
  }
  return refuse("must be glTF", bytes.length);
}

async function readBuffer(
  name: string,
  uri: unknown,
  binary: Uint8Array | undefined,
  file: FileLoader,
  refuse: Refuse,
): Promise<Uint8Array | undefined> {
  if (uri === undefined) return binary;
  if (typeof uri !== "string") return refuse("must have buffers with addresses", uri);
  const data = /^data:[^,]*;base64,/.exec(uri);
  if (data !== null)
    try {
      return Uint8Array.from(atob(uri.slice(data[0].length)), (letter) => letter.charCodeAt(0));
    } catch {
      return refuse("must have buffers in base64", uri.slice(0, 40));
    }
  const path = name.replace(/[^/]*$/, "") + uri;
  const found = await file(path);
  if (found === undefined) return refuse("must have buffers that the function `file` finds", path);
  return typeof found === "string" ? new TextEncoder().encode(found) : new Uint8Array(found as ArrayBuffer);
}

/** A list of a document, or none. */
function list<T>(given: readonly T[] | undefined): readonly T[] {
  return Array.isArray(given) ? (given as readonly T[]) : [];
}

class Scene {
  private readonly positions: number[] = [];
  private readonly indices: number[] = [];
  private readonly visited = new Set<number>();

  constructor(
    private readonly document: Document,
    private readonly buffers: readonly (Uint8Array | undefined)[],
    private readonly refuse: Refuse,
  ) {}

  read(): MeshData {
    const { scenes, nodes, scene } = this.document;
    const children = new Set(list(nodes).flatMap((node) => list(node.children)));
    const roots = list(scenes)[scene ?? 0]?.nodes ?? list(nodes).flatMap((_, i) => (children.has(i) ? [] : [i]));
    // An explicit stack: files may nest without end.
    const stack = list(roots).map((index) => ({ index, frame: IDENTITY }));
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const node = list(nodes)[next.index];
      if (typeof node !== "object" || this.visited.has(next.index))
        this.refuse("must have nodes with one parent each", next.index);
      this.visited.add(next.index);
      const frame = after(next.frame, this.frameOf(node));
      if (node.mesh !== undefined) this.addMesh(node.mesh, frame);
      for (const index of list(node.children)) stack.push({ index, frame });
    }
    return { positions: this.positions, indices: this.indices };
  }

  private frameOf({ matrix, translation, rotation, scale }: Node): Affine {
    const numbers = (given: unknown, count: number, fallback: readonly number[]): readonly number[] => {
      if (given === undefined) return fallback;
      if (!Array.isArray(given) || given.length !== count || !given.every(Number.isFinite))
        this.refuse(`must have nodes with ${count} finite numbers`, given);
      return given as number[];
    };
    if (matrix !== undefined) {
      const m = numbers(matrix, 16, []);
      return { a: [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]], t: [m[12], m[13], m[14]] };
    }
    const [position, quat, size] = [
      numbers(translation, 3, [0, 0, 0]) as unknown as Vec3,
      numbers(rotation, 4, [0, 0, 0, 1]) as unknown as Quat,
      numbers(scale, 3, [1, 1, 1]) as unknown as Vec3,
    ];
    if (!quat.some((value) => Math.abs(value) > 1e-9)) this.refuse("must have rotations that are not zero", quat);
    return compose(IDENTITY, position, quat, size);
  }

  private addMesh(mesh: number, frame: Affine): void {
    for (const { mode = TRIANGLES, indices, attributes } of list(list(this.document.meshes)[mesh]?.primitives)) {
      if (mode !== TRIANGLES) this.refuse("must have triangles", mode);
      const [from, values] = [this.positions.length / 3, this.readAccessor(attributes?.POSITION, "VEC3")];
      for (let i = 0; i < values.length; i += 3)
        this.positions.push(...transformPoint(frame, [values[i], values[i + 1], values[i + 2]]));
      if (indices === undefined) for (let i = 0; i < values.length / 3; i++) this.indices.push(from + i);
      else for (const index of this.readAccessor(indices, "SCALAR")) this.indices.push(from + index);
      if (this.indices.length > 3 * MAX_TRIANGLES) this.refuse(`must have at most ${MAX_TRIANGLES} triangles`, mesh);
    }
  }

  private readAccessor(index: number | undefined, type: "VEC3" | "SCALAR"): Float64Array {
    const accessor = list(this.document.accessors)[index ?? -1];
    const view = list(this.document.bufferViews)[accessor?.bufferView ?? -1];
    const bytes = this.buffers[view?.buffer ?? -1];
    if (bytes === undefined || accessor?.type !== type || accessor.sparse !== undefined)
      return this.refuse(`must have plain accessors of ${type}`, index);
    const width = type === "VEC3" ? 3 : 1;
    const component = accessor.componentType ?? 0;
    const size = type === "VEC3" ? (component === FLOAT ? 4 : 0) : (INDEX_SIZES[component] ?? 0);
    if (size === 0) this.refuse("must have positions in floats and indices in integers", component);
    const stride = view.byteStride ?? width * size;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const count = accessor.count ?? 0;
    const isCount = [stride, start, count].every((value) => Number.isInteger(value) && value >= 0);
    if (!isCount || stride < width * size || (count > 0 && start + stride * (count - 1) + width * size > bytes.length))
      this.refuse("must have accessors within their buffers", index);
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const read = (at: number): number => {
      if (component === FLOAT) return data.getFloat32(at, true);
      return size === 1 ? data.getUint8(at) : size === 2 ? data.getUint16(at, true) : data.getUint32(at, true);
    };
    return Float64Array.from({ length: width * count }, (_, i) =>
      read(start + stride * Math.floor(i / width) + size * (i % width)),
    );
  }
}
