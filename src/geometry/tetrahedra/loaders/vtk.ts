import type { TetMesh } from "../tet-mesh";
import { TetGatherer } from "./tet-gatherer";
import { TextReader } from "./text-reader";

/** VTK's numbers for tetrahedra of 4 and of 10 vertices; the latter list their corners first. */
const TETRAHEDRA = [10, 24];

/** A cell and its line number. */
interface Cell {
  readonly vertices: readonly number[];
  readonly line: number;
}

/**
 * Reads the tetrahedra of a legacy VTK file (`.vtk`, ASCII, unstructured grid, versions 1 to 5). Other cells and all
 * data at points and cells are left out. Coordinates are in meters.
 *
 * @param name name of the file in messages
 * @throws PliantError naming the line, the value and the rule; binary files and other data sets are rejected
 */
export function loadVtk(text: string, name = "mesh.vtk"): TetMesh {
  const reader = new TextReader(name, text);
  const gatherer = new TetGatherer(name);
  const version = /^# vtk DataFile Version (\d+)\./.exec(reader.wholeLine());
  if (!version) throw reader.error(name, "must begin with # vtk DataFile Version");
  reader.wholeLine();
  expectWord(reader, "ASCII");
  expectWord(reader, "DATASET");
  expectWord(reader, "UNSTRUCTURED_GRID");
  let cells: readonly Cell[] = [];
  while (!reader.atEnd) {
    const keyword = reader.word("a keyword");
    if (keyword === "POINTS") readPoints(reader, gatherer);
    else if (keyword === "CELLS") cells = Number(version[1]) >= 5 ? readCells5(reader) : readCells(reader);
    else if (keyword === "CELL_TYPES") {
      readTypes(reader, gatherer, cells);
      // only data comes after this
      return gatherer.mesh();
    } else reader.skipLine();
  }
  throw reader.error("the end", "CELL_TYPES is missing");
}

function expectWord(reader: TextReader, expected: string): void {
  const word = reader.word(expected);
  if (word !== expected) throw reader.error(word, `must be ${expected}`);
}

function readPoints(reader: TextReader, gatherer: TetGatherer): void {
  const count = reader.count("the number of points");
  reader.word("the type of numbers");
  for (let i = 0; i < count; i++) {
    const [x, y, z] = ["x", "y", "z"].map((axis) => reader.number(`${axis} of point ${i}`));
    gatherer.addVertex(reader, i, x, y, z);
  }
}

function readCells(reader: TextReader): Cell[] {
  const count = reader.count("the number of cells");
  reader.count("the number of numbers");
  return Array.from({ length: count }, () => {
    const corners = reader.count("the number of points of a cell");
    const vertices = Array.from({ length: corners }, () => reader.integer("a point of a cell"));
    return { vertices, line: reader.line };
  });
}

/** Reads cells in the format since version 5: the start of each cell, then the points of all cells. */
function readCells5(reader: TextReader): Cell[] {
  const offsetCount = reader.count("the number of offsets");
  const connections = reader.count("the number of points of all cells");
  expectWord(reader, "OFFSETS");
  reader.word("the type of offsets");
  const offsets = Array.from({ length: offsetCount }, () => reader.count("an offset"));
  expectWord(reader, "CONNECTIVITY");
  reader.word("the type of numbers");
  const vertices = Array.from({ length: connections }, () => reader.integer("a point of a cell"));
  return offsets.slice(1).map((end, i) => ({ vertices: vertices.slice(offsets[i], end), line: reader.line }));
}

function readTypes(reader: TextReader, gatherer: TetGatherer, cells: readonly Cell[]): void {
  const count = reader.count("the number of types");
  if (count !== cells.length)
    throw reader.error(String(count), `there must be a type for each of ${cells.length} cells`);
  for (const { vertices, line } of cells) {
    if (!TETRAHEDRA.includes(reader.integer("a cell's type"))) continue;
    if (vertices.length < 4) throw reader.error(String(vertices.length), "a tetrahedron must have four points");
    gatherer.addTetrahedron(line, vertices.slice(0, 4));
  }
}
