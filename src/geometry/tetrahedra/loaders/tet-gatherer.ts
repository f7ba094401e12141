import { degenerate, outOfRange } from "../../../errors";
import { tetVolume, validateTetMesh, type TetMesh } from "../tet-mesh";
import type { TextReader } from "./text-reader";

/** Gathers vertices and tetrahedra of a file: vertices by their names there, tetrahedra of either orientation. */
export class TetGatherer {
  private readonly vertices = new Map<number, readonly [number, number, number]>();
  private readonly tetrahedra: number[] = [];
  private readonly lines: number[] = [];

  constructor(private readonly object: string) {}

  addVertex(reader: TextReader, name: number, x: number, y: number, z: number): void {
    if (this.vertices.has(name)) throw reader.error(String(name), "a vertex must be there once");
    this.vertices.set(name, [x, y, z]);
  }

  /** Adds a tetrahedron; its vertices may be added later. */
  addTetrahedron(line: number, names: readonly number[]): void {
    this.tetrahedra.push(...names);
    this.lines.push(line);
  }

  /**
   * Numbers vertices in the order in which tetrahedra use them and turns tetrahedra positive.
   *
   * @throws PliantError for missing vertices, and for meshes that `validateTetMesh` rejects
   */
  mesh(): TetMesh {
    const { object, lines } = this;
    if (lines.length === 0) throw degenerate(object, "0 tetrahedra", "must hold tetrahedra of 4 or 10 vertices");
    const numbers = new Map<number, number>();
    const positions: number[] = [];
    const tetrahedra = Uint32Array.from(this.tetrahedra, (name, i) => {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      const place = this.vertices.get(name);
      if (!place) {
        const line = `${object} line ${lines[i >> 2]}`;
        throw outOfRange(line, name, "must be a vertex of the file");
      }
      positions.push(...place);
      numbers.set(name, numbers.size);
      return numbers.size - 1;
    });
    const mesh = { positions: Float64Array.from(positions), tetrahedra };
    for (let t = 0; t < lines.length; t++)
      if (tetVolume(positions, tetrahedra, t) < 0)
        [tetrahedra[4 * t + 2], tetrahedra[4 * t + 3]] = [tetrahedra[4 * t + 3], tetrahedra[4 * t + 2]];
    validateTetMesh(object, mesh);
    return mesh;
  }
}
