/**
 * Steps of cloth of GPBD in f32, four elements of a color at a time (AssemblyScript, WebAssembly SIMD). The formulas are those of the
 * f64 reference: src/solvers/gpbd/elements/local-solve.ts, bending-solve.ts and cpu-solver.ts. Nothing is fused or relaxed, so the bits are
 * the same on every machine. src/solvers/gpbd/simd/cloth-memory.ts describes the memory:
 *
 *   record of particle p, 32 bytes at 32 p: x⁻ less the origin, and W = Δt²/m; displacement u since x⁻, and how many elements of
 *   bending share the particle. A record without mass follows the last particle: places that are left over refer to it.
 *
 * Displacements are kept apart from x⁻, as in the shaders: what is small beside the positions stays exact.
 */

export { blow } from "./cloth/air";
export { bending, factor } from "./cloth/bending";
export { beginBoxes, boxFaces, boxParticles } from "./cloth/boxes";
export { listOthers, touchFaceBoxes, touchFaces } from "./cloth/faces";
export { membrane } from "./cloth/membrane";
export { springs } from "./cloth/springs";
export { finish, gatherAll, placeAll, predict } from "./cloth/substep";
export { hold } from "./cloth/tethers";
export { boxOfWays, touch, touchBox } from "./cloth/touch";
export { addWays } from "./cloth/ways";
