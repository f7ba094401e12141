#import "gpbd/contact/reaction-sums.wgsl"
#import "collision/contact/friction.wgsl"
#import "collision/contact/sweep.wgsl"
#import "math/tangent.wgsl"
#import "gpbd/contact/particle-surface.wgsl"

// In place of reaction.wgsl: proxies that particles hold against obstacles get the impulses of these, not the pushes of the particles. Twin of
// src/collision/obstacles/squeeze.ts, which tells why. All holds of a proxy are solved at once, each with its part of the body, and not in turn.

// xyz of the first numbers of a particle: the direction in which the obstacle holds the body; w: friction. Of the second ones: velocity of the
// body's surface relative to the obstacle, beyond what it should be along that direction [m/s]; w: −1 − the place of the proxy. Of the last
// ones, after anchors: impulse, and the normal one [N s]. Contact begins a substep with zero.
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;

// As in squeeze.ts
const opposed = -0.5;
const part = 0.1;
const parting = 0.05;
const slop = 0.5;
const sweeps = 16u;

var<workgroup> spin: vec3f;
var<workgroup> velocity: vec3f;

fn holdsOf(k: u32) -> f32 {
  return -f32(k + 1u);
}

fn isHeld(k: u32, p: u32) -> bool {
  return contact[step.particleCount + p].w == holdsOf(k);
}

fn impulsePlace(p: u32) -> u32 {
  return 3u * step.particleCount + 3u * step.faceCount + p;
}

fn yieldsAtOnce(k: u32) -> bool {
  return proxies[k].inverseMass > 0.0 && all(proxies[k].blockedDiagonal == vec3f(0.0));
}

fn isNearProxy(k: u32, from: vec3f, u: vec3f, reach: f32) -> bool {
  for (var c = 0u; c < step.colliderCount; c++) {
    if (colliders[c].proxy == k + 1u && !pathMisses(c, from, u, reach)) { return true; }
  }
  return false;
}

// Writes the hold of a particle whose deepest contact with bodies is that with the proxy. margin: see holdOf in squeeze.ts
fn findHold(k: u32, p: u32, margin: f32) -> bool {
  let u = displacement[p].xyz;
  let from = start[p].xyz - u;
  let thickness = particleThickness(p);
  let reach = thickness + margin;
  if (!isNearProxy(k, from, u, reach)) { return false; }
  var above = noContact(0.0);
  var below = noContact(0.0);
  var body = 0u;
  var ground = 0u;
  var n = vec3f(0.0);
  var sliding = vec3f(0.0);
  var wanted = 0.0;
  let left = (1.0 - step.fractionStart) * step.h / (step.fractionEnd - step.fractionStart);
  // Of all obstacles; then, of a particle that the body comes to, where the body will have it at the end of the frame. Both share the one call,
  // see sweep.wgsl.
  var isAhead = false;
  var at = from;
  var way = u;
  for (var c = 0u; c < step.colliderCount + 1u; c++) {
    if (c == step.colliderCount && !isAhead) {
      if (!above.touching || !below.touching || colliders[body].proxy != k + 1u) { return false; }
      let depth = above.push + below.push - 2.0 * margin;
      n = above.normal;
      if ((depth <= 0.0 && margin == 0.0) || dot(n, below.normal) >= opposed) { return false; }
      sliding = (above.surfaceDisplacement - below.surfaceDisplacement) / step.h;
      wanted = min(part * max(0.0, depth - slop * thickness) / step.h, parting);
      if (depth >= 0.0) { break; }
      isAhead = true;
      at = from + u - above.surfaceDisplacement;
      way = above.surfaceDisplacement - left * sliding;
    }
    let other = select(c, body, isAhead);
    let found = sweepContact(other, at, way, reach, select(step.fractionStart, step.fractionEnd, isAhead), step.fractionEnd, false);
    if (isAhead) {
      n = found.normal;
      if (!found.touching || dot(n, below.normal) >= opposed) { return false; }
      wanted = (found.push + below.push - 2.0 * margin) / left;
      sliding -= dot(sliding, n) * n;
      break;
    }
    if (!found.touching) { continue; }
    let owner = colliders[c].proxy;
    if (owner != 0u && proxies[owner - 1u].inverseMass > 0.0) {
      if (above.touching && found.push <= above.push) { continue; }
      above = found;
      body = c;
    } else {
      if (below.touching && found.push <= below.push) { continue; }
      below = found;
      ground = c;
    }
  }
  let least = min(frictionWith(body, particleFriction(p)), frictionWith(ground, particleFriction(p)));
  contact[p] = vec4f(-n, least);
  contact[step.particleCount + p] = vec4f(sliding + wanted * n, holdsOf(k));
  contact[impulsePlace(p)] = vec4f(0.0);
  return true;
}

// Change of an impulse along d, of N holds [N s].
fn correction(k: u32, d: vec3f, arm: vec3f, speed: vec3f, count: f32) -> f32 {
  let turning = cross(arm, d);
  let inverse = proxies[k].inverseMass + dot(turning, inverseInertiaOf(k) * turning);
  return -dot(d, speed) / (count * inverse);
}

// One hold pushes the body. Returns what that adds to its impulse.
fn push(k: u32, p: u32, arm: vec3f, count: f32) -> vec3f {
  let n = contact[p].xyz;
  let before = contact[impulsePlace(p)].xyz;
  let speed = contact[step.particleCount + p].xyz + velocity + cross(spin, arm);
  let normal = max(0.0, dot(before, n) + correction(k, n, arm, speed, count));
  let t = tangentOf(n);
  let b = cross(n, t);
  var sliding = vec2f(dot(before, t), dot(before, b));
  sliding += vec2f(correction(k, t, arm, speed, count), correction(k, b, arm, speed, count));
  sliding *= min(1.0, contact[p].w * normal / max(length(sliding), 1e-30));
  let now = normal * n + sliding.x * t + sliding.y * b;
  contact[impulsePlace(p)] = vec4f(now, normal);
  return now - before;
}

@compute @workgroup_size(64)
fn returnReactions(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let k = group.x;
  let canHold = yieldsAtOnce(k);
  var count = 0.0;
  for (var p = lane; canHold && p < step.particleCount; p += lanes) {
    if (reaction[p].w != f32(k + 1u) || displacement[p].w == 0.0 || !findHold(k, p, 0.0)) { continue; }
    // Its push counts no more.
    reaction[p] = vec4f(vec3f(0.0), reaction[p].w);
    count += 1.0;
  }
  contacts[lane] = count;
  sumUp(lane);
  let held = workgroupUniformLoad(&contacts[0]);
  gatherReactions(k, lane, false);
  let pushing = workgroupUniformLoad(&contacts[0]);
  if (lane == 0u) { proxyStates[k].contacts = pushing; }
  var impulse = step.pace * workgroupUniformLoad(&impulses[0]);
  var angularImpulse = step.pace * workgroupUniformLoad(&angularImpulses[0]);
  if (held > 0.0) {
    let centre = centreAt(k, step.fractionEnd) + proxyStates[k].offset;
    count = 0.0;
    // Those that it comes to, too.
    for (var p = lane; p < step.particleCount; p += lanes) {
      if (isHeld(k, p) || (displacement[p].w != 0.0 && findHold(k, p, particleThickness(p)))) { count += 1.0; }
    }
    contacts[lane] = count;
    if (lane == 0u) {
      velocity = proxies[k].inverseMass * impulse;
      spin = inverseInertiaOf(k) * (angularImpulse - cross(centre, impulse));
    }
    sumUp(lane);
    for (var sweep = 0u; sweep < sweeps; sweep++) {
      let shares = max(1.0, workgroupUniformLoad(&contacts[0]));
      var given = vec3f(0.0);
      var turned = vec3f(0.0);
      count = 0.0;
      for (var p = lane; p < step.particleCount; p += lanes) {
        if (!isHeld(k, p)) { continue; }
        let j = push(k, p, start[p].xyz - centre, shares);
        given += j;
        turned += cross(start[p].xyz - centre, j);
        count += select(0.0, 1.0, contact[impulsePlace(p)].w > 0.0);
      }
      workgroupBarrier();
      contacts[lane] = count;
      impulses[lane] = given;
      angularImpulses[lane] = turned;
      sumUp(lane);
      impulse += workgroupUniformLoad(&impulses[0]);
      let moment = workgroupUniformLoad(&angularImpulses[0]);
      angularImpulse += moment + cross(centre, impulses[0]);
      if (lane == 0u) {
        velocity += proxies[k].inverseMass * impulses[0];
        spin += inverseInertiaOf(k) * moment;
      }
    }
  }
  if (lane == 0u) { yieldTo(k, impulse, angularImpulse, step.fractionEnd, step.h); }
}
