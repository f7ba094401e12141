import { invalid } from "../../errors";

/** A triangle mesh: positions n × 3 [in the unit of the file], indices three a triangle. */
export interface MeshData {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/**
 * Fetches the meshes of a file by their names in the file (`package://arm/meshes/base.stl`). The result is undefined if
 * there is no such mesh.
 */
export type MeshLoader = (name: string) => MeshData | undefined | Promise<MeshData | undefined>;

/** Text or bytes of a file. */
export type FileData = string | Uint8Array | ArrayBuffer;

/**
 * Fetches files that a mechanism file names: included files, and meshes in STL, OBJ, glTF, COLLADA or MSH. The result is
 * undefined if there is no such file. Loaders read no file in another way, and pass names as the file has them (behind
 * `meshdir`): `filesIn` and `filesFrom` refuse names that lead out of their folder.
 */
export type FileLoader = (name: string) => FileData | undefined | Promise<FileData | undefined>;

/** Functions that find the meshes of a file. */
export interface MeshSources {
  /** finds meshes; those that it does not have are asked of `file` */
  readonly mesh?: MeshLoader | undefined;
  readonly file?: FileLoader | undefined;
}

/** Files of a folder, or of a set in memory. */
export interface FolderOptions {
  /** where `package://NAME/` leads, by the names of packages; a folder below the base. Default: the folder NAME */
  readonly packages?: Readonly<Record<string, string>>;
}

/**
 * A loader of files in memory, by their paths.
 *
 * @param files text or bytes by path: `{ "meshes/hand.stl": bytes }`
 * @throws PliantError on loading, for a name that leads out of the set: an absolute path, an address, too many `..`
 */
export function filesIn(
  files: Readonly<Record<string, string | Uint8Array | ArrayBuffer>>,
  options: FolderOptions = {},
): FileLoader {
  return (name) => {
    const path = pathWithin(name, options);
    return Object.hasOwn(files, path) ? files[path] : undefined;
  };
}

/**
 * A loader that fetches files below an address.
 *
 * @param base address of the folder of the file
 * @throws PliantError on loading, as `filesIn`
 */
export function filesFrom(base: string, options: FolderOptions = {}): FileLoader {
  const folder = base.endsWith("/") ? base : `${base}/`;
  return async (name) => {
    const path = pathWithin(name, options);
    const response = await fetch(folder + path.split("/").map(encodeURIComponent).join("/"));
    return response.ok ? response.arrayBuffer() : undefined;
  };
}

/** A name in a file as a path below the base, without `.` and `..`. */
function pathWithin(name: string, { packages = {} }: FolderOptions): string {
  const refuse = (): never => {
    throw invalid("file", name, "must lie below the folder of the loader");
  };
  const inPackage = /^package:\/\/([^/]+)\/(.*)$/.exec(name);
  let path = name;
  if (inPackage !== null) {
    const [, root, rest] = inPackage;
    path = `${Object.hasOwn(packages, root) ? packages[root] : root}/${rest}`;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]/.test(path) || path.includes("\0")) return refuse();
  const parts: string[] = [];
  for (const part of path.split(/[/\\]+/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return refuse();
  }
  return parts.length > 0 ? parts.join("/") : refuse();
}
