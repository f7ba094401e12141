import type { FileData, FileLoader, MeshData } from "../sources";
import type { FileElement } from "../xml";
import { readCollada } from "./collada";
import { readGltf } from "./gltf";
import type { Refuse } from "./limits";
import { readObj } from "./obj";
import { readStl } from "./stl";

/**
 * Reads a mesh by its contents and the ending of its name: STL (text or binary), OBJ, glTF (text or binary), COLLADA,
 * MSH of MuJoCo.
 *
 * @param element element that names the mesh, for messages
 * @throws PliantError `unsupported` for other formats, `invalid-argument` for a file that is not well-formed
 */
export async function readMeshFile(
  name: string,
  data: FileData,
  file: FileLoader,
  element: FileElement,
): Promise<MeshData> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data as ArrayBuffer);
  const refuse = (rule: string, value: unknown): never => {
    throw element.error(`mesh "${name}" ${rule}`, value);
  };
  switch (/\.([a-z0-9]+)(?:[?#].*)?$/i.exec(name)?.[1].toLowerCase()) {
    case "stl":
      return readStl(bytes, refuse);
    case "obj":
      return readObj(new TextDecoder().decode(bytes), refuse);
    case "gltf":
    case "glb":
      return readGltf(name, bytes, file, refuse);
    case "dae":
      return readCollada(new TextDecoder().decode(bytes), name);
    case "msh":
      return readMsh(bytes, refuse);
    default:
      throw element.error(
        "must be a mesh in STL, OBJ, glTF, COLLADA or MSH; the option `mesh` can give others",
        name,
        "unsupported",
      );
  }
}

/** Counts of vertices, normals, texture coordinates and faces, then these as floats, and indices. */
function readMsh(bytes: Uint8Array, refuse: Refuse): MeshData {
  if (bytes.length < 16) refuse("must have a header of 16 bytes", bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [vertices, normals, coordinates, faces] = [0, 4, 8, 12].map((at) => view.getInt32(at, true));
  const floats = 3 * vertices + 3 * normals + 2 * coordinates;
  if (
    [vertices, normals, coordinates, faces].some((count) => count < 0) ||
    bytes.length !== 16 + 4 * floats + 12 * faces
  )
    refuse("must be as long as its header says", bytes.length);
  const from = 16 + 4 * floats;
  return {
    positions: Float64Array.from({ length: 3 * vertices }, (_, i) => view.getFloat32(16 + 4 * i, true)),
    indices: Uint32Array.from({ length: 3 * faces }, (_, i) => view.getInt32(from + 4 * i, true)),
  };
}
