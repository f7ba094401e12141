#import "gpbd/predict.wgsl"
#import "solids/elastic.wgsl"

// Warm start of solids, see warm-start.ts: each particle moves by the share of its elements' last displacements that they
// begin the substep with. Their sum is not gathered from the elements: it is what
// sweeps over them have moved the particle by.

@compute @workgroup_size(64)
fn warmStart(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    moveOn(id.x);
  }
}

// In one dispatch, in place of two.
@compute @workgroup_size(64)
fn predictWarm(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    predictParticle(id.x);
    moveOn(id.x);
  }
}

fn moveOn(p: u32) {
  let before = displacement[p];
  // Of what was frozen, Σ dᵢ may be no number.
  let isCold = step.warmStart == 0.0 || before.w == 0.0;
  let sum = select(step.warmStart * elastic[p].xyz, vec3f(0.0), isCold);
  elastic[p] = vec4f(sum, 0.0);
  displacement[p] = before + vec4f(sum, 0.0);
}

@compute @workgroup_size(64)
fn exchange(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    exchangeElastic(id.x);
  }
}
