#import "gpbd/updates.wgsl"
#import "gpbd/read-particles.wgsl"
#import "gpbd/access/set-displacement.wgsl"

// Particles as the element kernels see them. Positions are x = start + displacement: the displacement since the start of
// the substep is what is solved for, so that velocities (displacement / Δt) do not suffer from cancellation in f32.

// x⁻ [m]
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
// xyz: x − x⁻ [m]; w: inverse mass over 1 + Δt damping [1/kg], 0 when pinned
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// dᵢ for each element and corner [m]
@group(0) @binding(2) var<storage, read_write> tracked: array<vec4f>;
// Jacobi: each element's share of its corners' next displacement [m]
@group(0) @binding(3) var<storage, read_write> deltas: array<vec4f>;
// Jacobi: first entry of each particle in the term's incidence
@group(0) @binding(4) var<storage, read> incidenceOffsets: array<u32>;

fn trackedOf(slot: u32) -> vec3f {
  return tracked[slot].xyz;
}

fn setTracked(slot: u32, d: vec3f) {
  tracked[slot] = vec4f(d, 0.0);
}

fn setShare(slot: u32, share: vec3f) {
  deltas[slot] = vec4f(share, 0.0);
}

// Jacobi: elements at the particle. Each is given this fraction of its mass (mass splitting, see cpu-solver.ts).
fn valence(particle: u32) -> f32 {
  return f32(incidenceOffsets[particle + 1u] - incidenceOffsets[particle]);
}
