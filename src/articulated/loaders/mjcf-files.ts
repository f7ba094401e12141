import { PliantError } from "../../errors";
import type { FileLoader } from "./loaded";
import { parseFile, type FileElement } from "./xml";

/** Greatest number of included files. */
const MAX_FILES = 200;

/**
 * Reads a file and all files that it includes. The contents of an included file take the place of `<include>`.
 *
 * @param load finds included files by the name in the file
 * @throws PliantError for a file that nobody has, or one that is included twice; as `parseFile`
 */
export async function readWithIncludes(text: string, load: FileLoader | undefined): Promise<FileElement> {
  const root = parseFile(text, "MJCF", "mujoco");
  const included = new Set<string>();
  const replaceIn = async (element: FileElement): Promise<FileElement> => {
    if (element.descendants("include").length === 0) return element;
    const children: FileElement[] = [];
    for (const child of element.children) {
      if (child.tag !== "include") children.push(await replaceIn(child));
      else children.push(...(await replaceIn(await read(child))).children);
    }
    return element.altered(children);
  };
  const read = async (element: FileElement): Promise<FileElement> => {
    const name = element.required("file");
    // MuJoCo refuses it too: names would be taken twice.
    if (included.has(name)) throw element.error("a file must not be included twice", name);
    if (included.size === MAX_FILES) throw element.error(`a file must include at most ${MAX_FILES} others`, name);
    included.add(name);
    if (load === undefined) throw element.error('needs the option "file", a function that finds it', name);
    const found = await load(name);
    if (found === undefined) throw element.error("must name a file that the function `file` finds", name);
    const content = typeof found === "string" ? found : new TextDecoder().decode(found);
    const inner = parseFile(content, `MJCF ${name}`, "mujoco", "mujocoinclude");
    inner.pass("model");
    return inner;
  };
  return replaceIn(root);
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
    throw new PliantError("invalid-argument", "file", name, "must lie below the folder of the loader");
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
