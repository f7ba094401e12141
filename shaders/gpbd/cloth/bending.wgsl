#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "gpbd/cloth/bending-places.wgsl"

struct BendingMaterial {
  // Kelvin-Voigt damping time [s]
  damping: f32,
}

@group(0) @binding(6) var<uniform> material: BendingMaterial;
