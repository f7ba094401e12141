#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"

// Shared by elements of bending: a triangle with those around it, twelve vertices at most.

struct BendingMaterial {
  // Kelvin-Voigt damping time [s]
  damping: f32,
}

@group(0) @binding(6) var<uniform> material: BendingMaterial;

const arity = 12u;

// at places that are left over, which come last
const noVertex = 0xffffffffu;
