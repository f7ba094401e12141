#import "gpbd/step.wgsl"

// x̃ = x⁻ + Δt v + W f_ext: equation (3) of paper 1, with lift and drag of the air.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
// xyz: where a pinned particle is to be at the end of the frame [m]; w: inverse mass [1/kg], 0 when pinned
@group(0) @binding(3) var<storage, read> pins: array<vec4f>;
// xyz: displacement by contact in this substep; w: accumulated normal push [m]
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;
// acceleration by the air [m/s²], see air.wgsl
@group(0) @binding(5) var<storage, read> particleAir: array<vec4f>;

@compute @workgroup_size(64)
fn predict(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let pin = pins[p];
  contact[p] = vec4f(0.0);
  if (pin.w == 0.0) {
    displacement[p] = vec4f((pin.xyz - start[p].xyz) * step.pinShare, 0.0);
    return;
  }
  var acceleration = step.gravity;
  if (step.airDensity > 0.0) {
    acceleration += particleAir[p].xyz;
  }
  // Damping is implicit, m (1 + Δt c) v = m v⁻ + Δt f: it divides W too, so that what is at rest carries its full weight.
  displacement[p] = step.decay * vec4f(step.h * (velocity[p].xyz + step.h * acceleration), pin.w);
}
