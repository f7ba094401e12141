import type { TetMesh } from "../tet-mesh";
import { TetGatherer } from "./tet-gatherer";
import { TextReader } from "./text-reader";

/**
 * Reads a mesh of TetGen: the text of its `.node` file and that of its `.ele` file. Vertices may be counted from 0 or
 * from 1; tetrahedra with 10 vertices are reduced to their corners. Coordinates are in meters.
 *
 * @param name name of the files in messages, without extension
 * @throws PliantError naming the file, the line, the value and the rule
 */
export function loadTetgen(node: string, ele: string, name = "mesh"): TetMesh {
  const gatherer = new TetGatherer(name);
  const nodes = new TextReader(`${name}.node`, node, "#");
  const count = nodes.count("the number of vertices");
  const dimension = nodes.integer("the dimension");
  if (dimension !== 3) throw nodes.error(String(dimension), "the dimension must be 3");
  nodes.skipLine();
  for (let i = 0; i < count; i++) {
    const vertex = nodes.integer("a vertex' number");
    const [x, y, z] = ["x", "y", "z"].map((axis) => nodes.number(`${axis} of vertex ${vertex}`));
    gatherer.addVertex(nodes, vertex, x, y, z);
    nodes.skipLine();
  }
  const elements = new TextReader(`${name}.ele`, ele, "#");
  const tetrahedra = elements.count("the number of tetrahedra");
  const corners = elements.integer("vertices a tetrahedron");
  if (corners !== 4 && corners !== 10) throw elements.error(String(corners), "must be 4 or 10 vertices a tetrahedron");
  elements.skipLine();
  for (let t = 0; t < tetrahedra; t++) {
    elements.integer("a tetrahedron's number");
    const vertices = [0, 1, 2, 3].map(() => elements.integer("a vertex of a tetrahedron"));
    gatherer.addTetrahedron(elements.line, vertices);
    elements.skipLine();
  }
  return gatherer.mesh();
}
