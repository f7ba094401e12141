import type { FileLoader } from "../sources";
import { parseFile, type FileElement } from "../xml";

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
    for (const child of element.children)
      if (child.tag !== "include") children.push(await replaceIn(child));
      else children.push(...(await replaceIn(await read(child))).children);
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
