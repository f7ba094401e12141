// Tetrahedra with a principal stretch below this are as good as flat: local-global and Newton solver hold against it, see
// src/solvers/flat-elements.ts.
const FLAT_STRETCH = 0.1;
