import { PliantError } from "../src/errors";

/**
 * A text file that a parameter of a scene names: from the disk, or in a browser from a path relative to the page.
 *
 * @throws PliantError `invalid-argument` for a file that cannot be read
 */
export async function readText(parameter: string, file: string): Promise<string> {
  try {
    if (typeof process !== "undefined" && "getBuiltinModule" in process)
      return process.getBuiltinModule("node:fs").readFileSync(file, "utf8");
    const response = await fetch(file);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return await response.text();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PliantError(
      "invalid-argument",
      `parameter "${parameter}"`,
      file,
      `must be a file that can be read (${why})`,
    );
  }
}
