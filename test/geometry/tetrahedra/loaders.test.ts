import { describe, expect, it } from "vitest";
import { loadMsh } from "../../../src/geometry/tetrahedra/loaders/msh";
import { loadTetgen } from "../../../src/geometry/tetrahedra/loaders/tetgen";
import { loadVtk } from "../../../src/geometry/tetrahedra/loaders/vtk";
import { boxTetrahedra, meshVolume, type TetMesh } from "../../../src/geometry/tetrahedra/tet-mesh";
import { expectRefused } from "../../refusal";

const box = boxTetrahedra({ size: [1, 2, 3], cells: [2, 1, 2], center: [0.5, 0, 7] });
const points = Array.from({ length: box.positions.length / 3 }, (_, p) => [
  ...box.positions.subarray(3 * p, 3 * p + 3),
]);
const tets = Array.from({ length: box.tetrahedra.length / 4 }, (_, t) => [
  ...box.tetrahedra.subarray(4 * t, 4 * t + 4),
]);
const lines = (rows: readonly (readonly (number | string)[])[]): string => rows.map((row) => row.join(" ")).join("\n");

/** Nodes are counted from 10; there is a triangle among the elements, an unused node, and a section to skip. */
const msh2 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "body of rubber"
$EndPhysicalNames
$Nodes
${points.length + 1}
${lines(points.map((x, p) => [p + 10, ...x]))}
5 100 100 100
$EndNodes
$Elements
${tets.length + 1}
1 2 2 1 1 10 11 12
${lines(tets.map((tet, t) => [t + 2, 4, 2, 1, 1, ...tet.map((p) => p + 10)]))}
$EndElements
`;

const msh4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
2 ${points.length} 1 ${points.length}
2 1 0 3
1
2
3
${lines(points.slice(0, 3))}
3 1 0 ${points.length - 3}
${points
  .slice(3)
  .map((_, p) => p + 4)
  .join("\n")}
${lines(points.slice(3))}
$EndNodes
$Elements
2 ${tets.length + 1} 1 ${tets.length + 1}
2 1 2 1
1 1 2 3
3 1 4 ${tets.length}
${lines(tets.map((tet, t) => [t + 2, ...tet.map((p) => p + 1)]))}
$EndElements
`;

const node = (first: number): string => `# made by hand
${points.length} 3 1 0
${lines(points.map((x, p) => [p + first, ...x, 0.5]))}
# the end`;
/** Inverted, like those of TetGen. */
const ele = (first: number): string => `${tets.length} 4 0
${lines(tets.map(([a, b, c, d], t) => [t + first, ...[b, a, c, d].map((p) => p + first)]))}`;

const vtk = (version: string, cells: string): string => `# vtk DataFile Version ${version}
a box
ASCII
DATASET UNSTRUCTURED_GRID
POINTS ${points.length} double
${lines(points)}
${cells}
CELL_TYPES ${tets.length + 1}
5
${tets.map(() => 10).join(" ")}
POINT_DATA ${points.length}
SCALARS what float
${points.map(() => 0.25).join(" ")}
`;
const vtk3 = vtk(
  "3.0",
  `CELLS ${tets.length + 1} ${4 + 5 * tets.length}\n3 0 1 2\n${lines(tets.map((tet) => [4, ...tet]))}`,
);
const vtk5 = vtk(
  "5.1",
  `CELLS ${tets.length + 2} ${3 + 4 * tets.length}
OFFSETS vtktypeint64
${[0, ...Array.from({ length: tets.length + 1 }, (_, i) => 3 + 4 * i)].join(" ")}
CONNECTIVITY vtktypeint64
0 1 2 ${lines(tets)}`,
);

/** Vertices of each tetrahedron by place: the loaders number vertices in their own order. */
const places = ({ positions, tetrahedra }: TetMesh): string[] =>
  Array.from({ length: tetrahedra.length / 4 }, (_, t) =>
    [...tetrahedra.subarray(4 * t, 4 * t + 4)]
      .map((p) => positions.subarray(3 * p, 3 * p + 3).join())
      .sort()
      .join("; "),
  );

describe("loaders", () => {
  it.each<[string, () => TetMesh]>([
    ["Gmsh 2.2", () => loadMsh(msh2)],
    ["Gmsh 2.2 with Windows' line ends", () => loadMsh(msh2.replaceAll("\n", "\r\n"))],
    ["Gmsh 4.1", () => loadMsh(msh4)],
    ["TetGen from 0", () => loadTetgen(node(0), ele(0))],
    ["TetGen from 1", () => loadTetgen(node(1), ele(1))],
    ["VTK 3", () => loadVtk(vtk3)],
    ["VTK 5", () => loadVtk(vtk5)],
  ])("read %s", (_name, load) => {
    const mesh = load();
    expect(places(mesh)).toEqual(places(box));
    expect(mesh.positions.length).toBe(box.positions.length);
    expect(meshVolume(mesh.positions, mesh.tetrahedra)).toBeCloseTo(6, 12);
  });

  const edit = (text: string, line: number, to: string): string =>
    text
      .split("\n")
      .map((old, i) => (i === line - 1 ? to : old))
      .join("\n");

  it.each<[string, () => TetMesh, RegExp]>([
    ["a number", () => loadMsh(edit(msh2, 10, "10 0 zero 0")), /^mesh.msh line 10: y of node 10 must be a finite/],
    ["a node that is twice there", () => loadMsh(edit(msh2, 11, "10 0 0 0")), /^mesh.msh line 11: .* once, got "10"/],
    ["a version", () => loadMsh(edit(msh2, 2, "4.0 0 8")), /^mesh.msh line 2: the version must be 2.2 or 4.1/],
    ["binary", () => loadMsh(edit(msh4, 2, "4.1 1 8")), /^mesh.msh line 2: must be ASCII/],
    ["no header", () => loadMsh("$Nodes\n0\n$EndNodes"), /^mesh.msh line 1: must come after \$MeshFormat/],
    ["a text", () => loadMsh("hello"), /^mesh.msh line 1: must be the beginning of a section/],
    ["half a file", () => loadMsh(msh2.slice(0, 400)), /^mesh.msh line \d+: .*/],
    ["too many", () => loadMsh(edit(msh2, 9, "99999999")), /^mesh.msh line 9: the number of nodes must be/],
    ["a dimension", () => loadTetgen("4 2 0 0", ele(0), "cow"), /^cow.node line 1: the dimension must be 3, got "2"/],
    ["corners", () => loadTetgen(node(0), "1 5 0", "cow"), /^cow.ele line 1: must be 4 or 10/],
    [
      "an index",
      () => loadTetgen(node(0), "1 4 0\n0 0 1 2 2.5"),
      /^mesh.ele line 2: .* must be a whole number, got "2.5"/,
    ],
    ["no VTK", () => loadVtk(msh2, "x"), /^x line 1: must begin with # vtk DataFile/],
    ["a grid", () => loadVtk(edit(vtk3, 4, "DATASET POLYDATA")), /^mesh.vtk line 4: must be UNSTRUCTURED_GRID/],
    ["binary VTK", () => loadVtk(edit(vtk3, 3, "BINARY")), /^mesh.vtk line 3: must be ASCII/],
    ["no types", () => loadVtk(vtk3.slice(0, vtk3.indexOf("CELL_TYPES"))), /^mesh.vtk line \d+: CELL_TYPES is missing/],
  ])("name the line: %s", (_name, load, message) => {
    expectRefused(load, "invalid-argument", message);
  });

  it("refuse vertices that are missing, and files without tetrahedra", () => {
    expectRefused(() => loadTetgen(node(0), "1 4 0\n0 0 1 2 77"), "index-out-of-range", /^mesh line 2: .* got 77/);
    expectRefused(() => loadTetgen(node(0), "0 4 0"), "degenerate-geometry", /^mesh: must hold tetrahedra/);
  });
});
