#import "gpbd/finish.wgsl"
#import "gpbd/guard-state.wgsl"

// see guard.wgsl
@group(0) @binding(7) var<storage, read> guard: GuardState;

// As `finish`, of a body with a guard: impulses of the substep count for a share only.
@compute @workgroup_size(64)
fn finishGuarded(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  var u = pulled(p, displacement[p]);
  if (!isSound(p, u)) {
    return;
  }
  var v = u / step.h;
  if (guard.share < 1.0 && displacement[p].w > 0.0) {
    let before = step.decay * (velocity[p].xyz + step.h * step.gravity);
    v = guard.scale * mix(before, v, guard.share);
    let reach = guardReach(guard.had, displacement[p].w / step.decay, step.h, step.h * length(step.gravity), step.pushSpeed);
    u *= min(1.0, reach / max(length(u), 1e-30));
  }
  goOn(p, u, v);
}
