import type { MeshData } from "../sources";
import { MAX_TRIANGLES, type Refuse } from "./limits";

/** Reads vertices and faces of an OBJ file. Polygons become fans of triangles. */
export function readObj(text: string, refuse: Refuse): MeshData {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const line of text.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "v") {
      if (words.length < 4) refuse("must have three numbers a vertex", line);
      for (let c = 1; c < 4; c++) positions.push(Number(words[c]));
    } else if (words[0] === "f") {
      if (words.length < 4) refuse("must have three corners or more a face", line);
      // Indices count from 1; negative ones from the last vertex so far.
      const corners = words.slice(1).map((word) => {
        const index = Number.parseInt(word, 10);
        return index < 0 ? positions.length / 3 + index : index - 1;
      });
      for (let i = 2; i < corners.length; i++) indices.push(corners[0], corners[i - 1], corners[i]);
      if (indices.length > 3 * MAX_TRIANGLES) refuse(`must have at most ${MAX_TRIANGLES} triangles`, line);
    }
  }
  return { positions, indices };
}
