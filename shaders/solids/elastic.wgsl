// Ways by which elements move particles, of solids with a warm start. The importing module declares displacement.

// Between sweeps Σ dᵢ [m]; during a sweep the rest of x − x⁻.
@group(0) @binding(7) var<storage, read_write> elastic: array<vec4f>;

// Before a sweep and after it: either is x − x⁻ without the other.
fn exchangeElastic(p: u32) {
  elastic[p] = vec4f(displacement[p].xyz - elastic[p].xyz, 0.0);
}
