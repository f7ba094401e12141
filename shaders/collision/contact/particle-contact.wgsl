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

// anchor: what the particle sticks to, see src/collision/obstacles/anchors.ts: a place in the frame of a primitive of a proxy at the end of the
// substep [m]; w: 1 + the primitive, 0 for none, less than 0 when it is of the last substep
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
    let pose = poseAtEnd(touched, 1.0);
    let way = start - pose.position;
    let sticks = abs(anchor.w) == f32(touched + 1u);
    let slip = d - select(strongest.surfaceDisplacement, rotateBy(pose.rotation, anchor.xyz) - way, sticks);
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
    if (colliders[touched].proxy != 0u) {
      held = vec4f(rotateBackBy(pose.rotation, way + d - kept * rest), f32(touched + 1u));
    }
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
