// Shared by elements of bending: a triangle with those around it, twelve vertices at most.

const arity = 12u;

// at places that are left over, which come last
const noVertex = 0xffffffffu;
