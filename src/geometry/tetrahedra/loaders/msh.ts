import type { TetMesh } from "../tet-mesh";
import { TetGatherer } from "./tet-gatherer";
import { TextReader } from "./text-reader";

/** Gmsh's numbers for tetrahedra of 4 and of 10 vertices; the latter list their corners first. */
const TETRAHEDRA = [4, 11];

/**
 * Reads the tetrahedra of a Gmsh file (`.msh`, version 2.2 or 4.1, ASCII). Other elements, and their vertices, are left
 * out. Coordinates are in meters.
 *
 * @param name name of the file in messages
 * @throws PliantError naming the line, the value and the rule; `unsupported` for binary files and other versions
 */
export function loadMsh(text: string, name = "mesh.msh"): TetMesh {
  const reader = new TextReader(name, text);
  const gatherer = new TetGatherer(name);
  let isVersion4 = false;
  let isKnown = false;
  while (!reader.atEnd) {
    const section = reader.word("a section");
    if (!section.startsWith("$")) throw reader.error(section, "must be the beginning of a section, $…");
    if (section === "$MeshFormat") {
      isVersion4 = readVersion(reader);
      isKnown = true;
    } else if (!isKnown) throw reader.error(section, "must come after $MeshFormat");
    else if (section === "$Nodes") (isVersion4 ? readNodes4 : readNodes2)(reader, gatherer);
    else if (section === "$Elements") (isVersion4 ? readElements4 : readElements2)(reader, gatherer);
    else {
      reader.skipPast(section.replace("$", "$End"));
      continue;
    }
    const end = section.replace("$", "$End");
    const word = reader.word(end);
    if (word !== end) throw reader.error(word, `must be ${end}`);
  }
  return gatherer.mesh();
}

/** Whether the file has version 4. */
function readVersion(reader: TextReader): boolean {
  const version = reader.word("the version");
  if (version !== "2.2" && version !== "4.1") throw reader.error(version, "the version must be 2.2 or 4.1");
  const kind = reader.integer("the kind of file");
  if (kind !== 0) throw reader.error(String(kind), "must be ASCII, kind 0: binary files are not read");
  reader.skipLine();
  return version === "4.1";
}

function readNodes2(reader: TextReader, gatherer: TetGatherer): void {
  const count = reader.count("the number of nodes");
  for (let i = 0; i < count; i++) {
    const node = reader.integer("a node's number");
    readVertex(reader, gatherer, node);
  }
}

function readElements2(reader: TextReader, gatherer: TetGatherer): void {
  const count = reader.count("the number of elements");
  for (let i = 0; i < count; i++) {
    reader.integer("an element's number");
    const kind = reader.integer("an element's kind");
    const tags = reader.count("the number of tags");
    for (let tag = 0; tag < tags; tag++) reader.integer("a tag");
    readElement(reader, gatherer, kind);
  }
}

function readNodes4(reader: TextReader, gatherer: TetGatherer): void {
  const blocks = reader.count("the number of blocks");
  reader.skipLine();
  for (let block = 0; block < blocks; block++) {
    for (const what of ["dimension", "entity"]) reader.integer(`a block's ${what}`);
    reader.integer("whether there are parameters");
    const count = reader.count("the number of nodes");
    const nodes = Array.from({ length: count }, () => reader.integer("a node's number"));
    for (const node of nodes) readVertex(reader, gatherer, node);
  }
}

function readElements4(reader: TextReader, gatherer: TetGatherer): void {
  const blocks = reader.count("the number of blocks");
  reader.skipLine();
  for (let block = 0; block < blocks; block++) {
    for (const what of ["dimension", "entity"]) reader.integer(`a block's ${what}`);
    const kind = reader.integer("the kind of elements");
    const count = reader.count("the number of elements");
    for (let i = 0; i < count; i++) {
      reader.integer("an element's number");
      readElement(reader, gatherer, kind);
    }
  }
}

/** Reads coordinates, and skips the rest of the line. */
function readVertex(reader: TextReader, gatherer: TetGatherer, node: number): void {
  const [x, y, z] = ["x", "y", "z"].map((axis) => reader.number(`${axis} of node ${node}`));
  gatherer.addVertex(reader, node, x, y, z);
  reader.skipLine();
}

function readElement(reader: TextReader, gatherer: TetGatherer, kind: number): void {
  if (TETRAHEDRA.includes(kind)) {
    const nodes = [0, 1, 2, 3].map(() => reader.integer("a node of a tetrahedron"));
    gatherer.addTetrahedron(reader.line, nodes);
  }
  reader.skipLine();
}
