// Twin of src/collision/contact/particle-contact.ts.

#import "collision/contact/friction.wgsl"
#import "collision/contact/push-share.wgsl"
#import "collision/contact/sweep.wgsl"

struct ParticleContact {
  // x - x⁻ [m]
  displacement: vec3f,
  // contact displacement in this substep, and the sum of pushes [m]
  contact: vec4f,
  touching: bool,
  // the particle is at least this far from every obstacle [m]
  clearance: f32,
  // part of the displacement that proxies caused [m]; w: the last of them, see ColliderPrimitive.proxy
  reaction: vec4f,
  // what the particle sticks to from here on
  anchor: vec4f,
}

// Way along the body that a particle has slipped in the substep; one that sticks slips from its anchor, see src/collision/obstacles/anchors.ts.
// anchor: place in the frame of the primitive [m]; w: 1 + the primitive, 0 for none, less than 0 when it is of the last substep
fn slipOf(k: u32, anchor: vec4f, start: vec3f, d: vec3f, moved: vec3f) -> vec3f {
  if (colliders[k].proxy == 0u || abs(anchor.w) != f32(k + 1u)) { return d - moved; }
  let pose = poseAtEnd(k, 1.0);
  return start - pose.position + d - rotateBy(pose.rotation, anchor.xyz);
}

// A particle sticks to a place at the end of the substep, if that is one of a proxy.
fn anchoredAt(k: u32, place: vec3f, d: vec3f) -> vec4f {
  if (colliders[k].proxy == 0u) { return vec4f(0.0); }
  let pose = poseAtEnd(k, 1.0);
  return vec4f(rotateBackBy(pose.rotation, place - pose.position + d), f32(k + 1u));
}

// w: inverse mass [1/kg]; start: x⁻; displacement: x - x⁻; contact: zero at the start of a substep, then what the last iteration returned
fn resolveParticleContact(
  count: u32,
  start: vec3f,
  displacement: vec3f,
  contact: vec4f,
  thickness: f32,
  friction: f32,
  fraction0: f32,
  fraction1: f32,
  w: f32,
  anchor: vec4f,
) -> ParticleContact {
  var d = displacement;
  var c = contact;
  var strongest = noContact(1e30);
  var clearance = 1e30;
  var most = -1.0;
  var touched = 0u;
  var pushes = 0u;
  var reaction = vec4f(0.0);
  var held = vec4f(0.0);
  // A second round pushes only; both share the one call, see sweep.wgsl.
  var again = false;
  for (var k = 0u; k < count; k++) {
    let found = sweepContact(k, start, d, thickness, fraction0, fraction1, false);
    clearance = min(clearance, found.clearance);
    if (found.touching) {
      let push = found.push * pushShare(k, w, start + d, found.normal);
      d += push * found.normal;
      reaction = withReaction(reaction, k, push * found.normal);
      c += push * vec4f(found.normal, 1.0);
      pushes += select(0u, 1u, found.push > 0.0);
      if (push > most && !again) {
        most = push;
        touched = k;
        strongest = found;
      }
    }
    if (k + 1u < count || again || !strongest.touching) { continue; }
    let n = strongest.normal;
    let slip = slipOf(touched, anchor, start, d, strongest.surfaceDisplacement);
    let u = slip - dot(slip, n) * n;
    let f = c.xyz - dot(c.xyz, n) * n;
    let share = pushShare(touched, w, start + d, n);
    var g = f - share * u;
    let size = length(g);
    let limit = frictionWith(touched, friction) * c.w;
    if (size > limit) { g *= limit / size; }
    d += g - f;
    reaction = withReaction(reaction, touched, g - f);
    c += vec4f(g - f, 0.0);
    // The rest of the slip, and the most that friction would take up in one substep.
    let rest = u + g - f;
    let kept = min(1.0, limit / max(share * length(rest), 1e-30));
    held = anchoredAt(touched, start, d - kept * rest);
    if (pushes > 1u) {
      again = true;
      // one below the first
      k = 0xffffffffu;
    }
  }
  return ParticleContact(d, c, strongest.touching, select(clearance, 0.0, strongest.touching), reaction, held);
}

fn withReaction(reaction: vec4f, k: u32, displacement: vec3f) -> vec4f {
  let owner = colliders[k].proxy;
  return select(reaction, vec4f(reaction.xyz + displacement, f32(owner)), owner != 0u);
}
