import { DisjointSets } from "../../math/disjoint-sets";
import { faceKey, tetVolume, type TetMesh } from "./tet-mesh";

/** The `count` largest parts of a mesh, each connected by faces; unused vertices are left out. */
export function largestParts(mesh: TetMesh, count: number): TetMesh {
  const { positions, tetrahedra } = mesh;
  const tets = tetrahedra.length / 4;
  const sets = new DisjointSets(tets);
  const owners = new Map<string, number>();
  for (let t = 0; t < tets; t++)
    for (let f = 0; f < 4; f++) {
      const key = faceKey(tetrahedra, t, f);
      const other = owners.get(key);
      if (other === undefined) owners.set(key, t);
      else sets.join(t, other);
    }
  const volumes = new Map<number, number>();
  for (let t = 0; t < tets; t++)
    volumes.set(sets.rootOf(t), (volumes.get(sets.rootOf(t)) ?? 0) + tetVolume(positions, tetrahedra, t));
  if (volumes.size <= count) return mesh;
  const kept = new Set(
    [...volumes]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, count)
      .map(([part]) => part),
  );
  const numbers = new Map<number, number>();
  const places: number[] = [];
  const indices: number[] = [];
  for (let t = 0; t < tets; t++) {
    if (!kept.has(sets.rootOf(t))) continue;
    for (let k = 0; k < 4; k++) {
      const vertex = tetrahedra[4 * t + k];
      let number = numbers.get(vertex);
      if (number === undefined) {
        numbers.set(vertex, (number = numbers.size));
        places.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
      }
      indices.push(number);
    }
  }
  return { positions: Float64Array.from(places), tetrahedra: Uint32Array.from(indices) };
}
