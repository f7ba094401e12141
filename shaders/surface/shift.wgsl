// Displacements of all bodies that touch. Those of a body that touches itself alone are its own, else scatterSurface takes them there.

// w: inverse mass
@group(0) @binding(2) var<storage, read_write> surfaceShift: array<vec4f>;
// of a single body: at least so far from all obstacles, see near-obstacles.wgsl
@group(0) @binding(10) var<storage, read_write> clearance: array<f32>;

override isAlone: bool = false;

fn startAt(p: u32) -> vec3f {
  return surfaceStart[p].xyz;
}

fn shiftOf(p: u32) -> vec4f {
  return surfaceShift[p];
}

fn setShift(p: u32, before: vec4f, after: vec3f) {
  surfaceShift[p] = vec4f(after, before.w);
  if (isAlone) {
    // It was found where the particle was before.
    clearance[p] -= length(after - before.xyz);
  }
}
