// Tetrahedra that are pressed flat. A blow or a load beyond Young's modulus presses matter flat and through itself: ARAP and corotational
// elasticity hold against that with a finite stress; StVK with none where it is flat, and its mirror image is at rest, too; a stable
// neo-Hookean solid with no Poisson's ratio comes to rest in a point. So the solvers that minimize energies hold against principal stretches
// below `FLAT_STRETCH`, whatever the law. Inertia says how hard: what is not stopped in a time step has gone through.
const FLAT_STRETCH = 0.1;
