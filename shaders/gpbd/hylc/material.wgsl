#import "math/symmetric6.wgsl"

// Records and functions for the density of HYLC cloth and the update of its elements.

struct HylcMaterial {
  // stiffnesses that damping goes by
  stiffness: vec3f,
  // Kelvin-Voigt damping time [s]
  damping: f32,
  bendStiffness: vec3f,
  // 1/l² [1/m²]
  bending: f32,
}

@group(0) @binding(6) var<uniform> material: HylcMaterial;

struct HylcJet {
  value: f32,
  gradient: Vector6,
  hessian: Symmetric6,
}
