#import "gpbd/finish.wgsl"
#import "guard/guard-state.wgsl"
#import "guard/lead.wgsl"

// see guard.wgsl
@group(0) @binding(7) var<storage, read> guard: GuardState;

// `w` of the velocity of what pins hold, and of what rigid bodies carry
const HELD = 1.0;
const CARRIED = 2.0;

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

@group(0) @binding(8) var<storage, read_write> moved: array<vec4f>;
// see led.wgsl
@group(0) @binding(9) var<storage, read_write> inner: array<vec4f>;

// Before the sums of a body as in led.wgsl: pins that may give pull.
@compute @workgroup_size(64)
fn pullLed(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let u = moved[p];
  let pull = pulled(p, u) - u.xyz;
  inner[step.particleCount + p] = vec4f(pull, 0.0);
  moved[p] = vec4f(u.xyz + pull, u.w);
}

// As `finishGuarded`, of such a body. The velocity of a pin is marked: see freeLed.
@compute @workgroup_size(64)
fn finishLed(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let d = displacement[p];
  var u = d.xyz;
  if (!isSound(p, u)) {
    return;
  }
  var v = u / step.h;
  if (guard.share < 1.0 && inner[p].w > 0.0) {
    let led = leadAt(start[p].xyz);
    let before = step.decay * (velocity[p].xyz + step.h * step.gravity);
    v = led + guard.scale * (mix(before, v, guard.share) - led);
    let reach = guardReach(guard.had, d.w / step.decay, step.h, step.h * length(step.gravity), step.pushSpeed);
    let way = u - step.h * led;
    u = step.h * led + way * min(1.0, reach / max(length(way), 1e-30));
  }
  goOn(p, u, v);
  velocity[p].w = select(select(0.0, CARRIED, inner[p].w == 0.0), HELD, d.w == 0.0);
}
