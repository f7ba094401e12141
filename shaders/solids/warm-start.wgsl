#import "gpbd/step.wgsl"

// Warm start of solids, see warm-start.ts: each particle moves by the share of its elements' last displacements that they
// begin the substep with. Their sum is not gathered from the elements, mostly: it is what
// sweeps over them have moved the particle by.

@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> tracked: array<vec4f>;
@group(0) @binding(4) var<storage, read> incidenceOffsets: array<u32>;
@group(0) @binding(5) var<storage, read> incidenceEntries: array<u32>;
// Between sweeps Σ dᵢ [m]; during a sweep what x − x⁻ is without it. w: not 0 where an element was untangled in the sweep.
@group(0) @binding(7) var<storage, read_write> elastic: array<vec4f>;

@compute @workgroup_size(64)
fn warmStart(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let before = displacement[p];
  // Of what was frozen, Σ dᵢ may be no number.
  let isCold = step.warmStart == 0.0 || before.w == 0.0;
  let sum = select(step.warmStart * elastic[p].xyz, vec3f(0.0), isCold);
  elastic[p] = vec4f(sum, 0.0);
  displacement[p] = before + vec4f(sum, 0.0);
}

@compute @workgroup_size(64)
fn beforeSweep(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    elastic[id.x] = vec4f(displacement[id.x].xyz - elastic[id.x].xyz, 0.0);
  }
}

@compute @workgroup_size(64)
fn afterSweep(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let rest = elastic[p];
  var sum = displacement[p].xyz - rest.xyz;
  if (rest.w != 0.0) {
    // Untangling moved the particle, too, which no force did.
    sum = vec3f(0.0);
    for (var i = incidenceOffsets[p]; i < incidenceOffsets[p + 1u]; i++) {
      sum += tracked[incidenceEntries[i]].xyz;
    }
  }
  elastic[p] = vec4f(sum, 0.0);
}
