#import "articulated/batch-constraints.wgsl"

// The terms that contacts add to the gradients of batch-gradient.wgsl, whose functions this uses. With the forces f of a contact, ν, and G and V' of one link less
// those of the other, all of the contact is in one number, (Σ f t / Δt)·G - (Σ ν t)·V' + ν_n δ correction / Δt, where point, directions t and depth
// follow a motion of the first link; a motion of the other one is one of both less that of the first.

// Adds what contacts give to the links: their forces, and the wrenches of ν. In the order of the rows; returns the first row of limits.
fn addTouches() -> u32 {
  var r = 0u;
  for (var c = 0u; c < contactCount; c++) { r += addTouch(contactOf(c), r); }
  return r;
}

struct PairMotion {
  // g, and V after the step
  g: Spatial,
  after: Spatial,
}

fn twistsOf(link: i32) -> PairMotion {
  if (link < 0) { return PairMotion(); }
  let at = gradientAt(u32(link));
  let change = scaled(loadSpatial(at + GRADIENT_CHANGE), batch.timeStep);
  return PairMotion(loadSpatial(at + GRADIENT_POWER), plus(loadSpatial(linkAt(u32(link)) + LINK_TWIST), change));
}

fn velocityAt(point: vec3f, twist: Spatial) -> vec3f {
  return twist.linear + cross(twist.angular, point);
}

fn addLoads(link: i32, side: f32, pushed: Spatial, pulled: Spatial, motion: Spatial) {
  if (link < 0) { return; }
  let at = gradientAt(u32(link));
  addSpatial(at + GRADIENT_FORCE, scaled(pushed, -side));
  addSpatial(at + GRADIENT_WRENCH, scaled(pulled, side));
  addSpatial(at + GRADIENT_MOTION, motion);
}

// Returns how many rows the contact has.
fn addTouch(contact: Contact, r: u32) -> u32 {
  let shape = contact.shape;
  let n = contact.normal;
  var tangent = touches[shape].tangent;
  if (withPairs && touches[shape].kind != TOUCH_PLANE) { tangent = tangentOf(n); }
  let second = cross(n, tangent);
  var impulses = vec3f(0.0);
  var pulls = vec3f(0.0);
  let count = u32(load(heldAt(r) + HELD_COUNT));
  for (var c = 0u; c < count; c++) {
    impulses[c] = load(heldAt(r + c) + HELD_IMPULSE) / batch.timeStep;
    pulls[c] = load(heldAt(r + c) + HELD_SHIFT);
  }
  let directions = mat3x3f(n, tangent, second);
  let force = directions * impulses;
  let pull = directions * pulls;
  let one = twistsOf(touches[shape].link);
  let two = twistsOf(touches[shape].other);
  let g = minus(one.g, two.g);
  let after = minus(one.after, two.after);
  let pushed = wrenchAt(contact.point, force);
  let pulled = wrenchAt(contact.point, -pull);
  // The changes with the contact's point, its normal (by the tangents, too), and its depth, as motions of its first core.
  let byPoint = cross(force, g.angular) - cross(pull, after.angular);
  let speed = velocityAt(contact.point, g);
  let speedAfter = velocityAt(contact.point, after);
  var byNormal = vec3f(0.0);
  // Of a motion of both links, which carries the contact along, but turns its tangents about the normal by less than that.
  var unturned = Spatial();
  if (withPairs) {
    let along = mat3x3f(
      impulses.x * speed - pulls.x * speedAfter,
      impulses.y * speed - pulls.y * speedAfter,
      impulses.z * speed - pulls.z * speedAfter,
    );
    byNormal = along[0] + cross(tangent, along[2]) + tangentPulled(n, tangent, along[1] + cross(along[2], n));
    let spin = cross(n, tangentPulled(n, tangent, second)) - n;
    unturned.angular = (dot(along[1], second) - dot(along[2], tangent)) * spin;
  }
  let isOfOther = contact.feature.kind >= OF_OTHER;
  let back = select(touches[shape].radius, touches[shape].otherRadius, isOfOther) - 0.5 * contact.depth;
  let normal = select(n, -n, isOfOther);
  // On the CPU what rests is at a depth that is never quite corrected, and here it is so but for rounding.
  let rate = select(batch.correction / batch.timeStep, 0.0, isStill);
  let byCore = byPoint - (0.5 * dot(normal, byPoint) + rate * pulls.x) * normal;
  let gap = touches[shape].radius + touches[shape].otherRadius - contact.depth;
  let moved = pullFeature(
    contact.feature,
    contact.point + back * normal,
    normal,
    gap,
    byCore,
    select(byNormal, -byNormal, isOfOther) - back * byPoint,
  );
  let first = plus(crossForce(one.g, pushed), crossForce(one.after, pulled));
  let last = plus(crossForce(two.g, pushed), crossForce(two.after, pulled));
  var motion = plus(first, moved);
  if (isOfOther) { motion = plus(minus(last, moved), unturned); }
  addLoads(touches[shape].link, 1.0, pushed, pulled, motion);
  if (withPairs) { addLoads(touches[shape].other, -1.0, pushed, pulled, minus(unturned, motion)); }
  return count;
}

// From a gradient by t₁ to one by n, see tangentChanges.
fn tangentPulled(n: vec3f, tangent: vec3f, x: vec3f) -> vec3f {
  let across = x - dot(tangent, x) * tangent;
  return select(
    vec3f(0.0, across.z, -across.y) / length(n.yz),
    vec3f(across.y, -across.x, 0.0) / length(n.xy),
    abs(n.z) <= 0.9,
  );
}

// Product of a motion of the link of a contact's first feature with this wrench: the change of what has these gradients by the feature's point and by
// the normal. Transposed from src/articulated/contact/variation.ts.
fn pullFeature(feature: Feature, x: vec3f, n: vec3f, gap: f32, byPoint: vec3f, byNormal: vec3f) -> Spatial {
  let d = feature.d;
  let e = feature.e;
  let turning = byNormal - dot(n, byNormal) * n;
  var force = byPoint;
  var torque = vec3f(0.0);
  switch (select(POINT_FACE, feature.kind % OF_OTHER, withPairs)) {
    case POINT_POINT: {
      force += turning / gap;
    }
    case POINT_EDGE: {
      force += (turning - dot(e, turning) * e) / gap;
    }
    case EDGE_POINT: {
      force += turning / gap;
      let along = dot(force, d);
      force -= along * d;
      torque = -along * gap * cross(d, n);
    }
    case EDGE_EDGE: {
      let k = dot(d, e);
      let squaredSine = 1.0 - k * k;
      let across = cross(d, e);
      let along = dot(byPoint, d) / squaredSine;
      force += along * (k * e - d);
      torque = cross(d, cross(e, turning)) * select(1.0, -1.0, dot(across, n) < 0.0) / sqrt(squaredSine) - along * gap * cross(d, n);
    }
    case EDGE_OVER_SIDE: {
      force -= dot(byPoint, d) / dot(e, d) * e;
    }
    case FACE_OVER_CORNER: {
      force = dot(byPoint, n) / dot(d, n) * d;
    }
    default: {}
  }
  var wrench = wrenchAt(x, force);
  wrench.angular += torque;
  return wrench;
}
