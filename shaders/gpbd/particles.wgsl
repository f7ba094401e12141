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

// Whether dᵢ is of any use: one iteration that starts from nothing does without.
override isTracked: bool = true;

fn trackedAt(slot: u32) -> vec3f {
  if (isTracked) {
    return loadTracked(slot);
  }
  return vec3f(0.0);
}

fn loadTracked(slot: u32) -> vec3f {
  if (range.loadTracked == 0u) {
    return vec3f(0.0);
  }
  if (range.loadTracked == 2u) {
    // Of what was frozen, dᵢ may be no number.
    if (step.warmStart == 0.0) {
      return vec3f(0.0);
    }
    return step.warmStart * tracked[slot].xyz;
  }
  return tracked[slot].xyz;
}

fn storeTracked(slot: u32, d: vec3f) {
  if (range.storeTracked != 0u) {
    tracked[slot] = vec4f(d, 0.0);
  }
}

// Gauss-Seidel: x and dᵢ advance together, which keeps x = x̃ + Σ dᵢ.
fn applyNow(slot: u32, particle: u32, before: vec4f, d: vec3f, delta: vec3f) {
  let increment = step.relaxation * delta;
  displacement[particle] = vec4f(before.xyz + increment, before.w);
  if (isTracked) {
    storeTracked(slot, d + increment);
  }
}

// Jacobi: elements at the particle. Each is given this fraction of its mass (mass splitting, see cpu-solver.ts).
fn valence(particle: u32) -> f32 {
  return f32(incidenceOffsets[particle + 1u] - incidenceOffsets[particle]);
}

// Jacobi: the mean over the elements at the particle, taken by a later gather. `splitTracked` is dᵢ times the valence.
fn applyLater(slot: u32, count: f32, splitTracked: vec3f, delta: vec3f) {
  let increment = (step.relaxation / count) * delta;
  deltas[slot] = vec4f(increment, 0.0);
  if (isTracked) {
    storeTracked(slot, splitTracked / count + increment);
  }
}
