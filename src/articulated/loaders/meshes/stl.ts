import type { MeshData } from "../sources";
import { MAX_TRIANGLES, type Refuse } from "./limits";

/** A triangle of a binary file: normal, three corners, two bytes. */
const STRIDE = 50;

/** Reads STL, binary or text. Each triangle has corners of its own. */
export function readStl(bytes: Uint8Array, refuse: Refuse): MeshData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = bytes.length >= 84 ? view.getUint32(80, true) : -1;
  // Some binary files begin with "solid" as well, so the length decides.
  const isBinary = bytes.length === 84 + STRIDE * count;
  const begin = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().slice(0, 5).toLowerCase();
  if (!isBinary && begin === "solid") return readText(new TextDecoder().decode(bytes), refuse);
  if (!(count >= 0 && bytes.length >= 84 + STRIDE * count)) refuse("must be as long as its header says", bytes.length);
  if (count > MAX_TRIANGLES) refuse(`must have at most ${MAX_TRIANGLES} triangles`, count);
  const positions = new Float64Array(9 * count);
  for (let t = 0; t < count; t++)
    for (let i = 0; i < 9; i++) positions[9 * t + i] = view.getFloat32(84 + STRIDE * t + 12 + 4 * i, true);
  return triangles(positions);
}

function readText(text: string, refuse: Refuse): MeshData {
  const positions: number[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0].toLowerCase() !== "vertex") continue;
    if (words.length !== 4) refuse("must have three numbers a vertex", line);
    for (let c = 1; c < 4; c++) positions.push(Number(words[c]));
  }
  if (positions.length % 9 !== 0) refuse("must have three corners a triangle", positions.length / 3);
  if (positions.length > 9 * MAX_TRIANGLES)
    refuse(`must have at most ${MAX_TRIANGLES} triangles`, positions.length / 9);
  return triangles(Float64Array.from(positions));
}

function triangles(positions: Float64Array): MeshData {
  return { positions, indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i) };
}
