// Twin of src/collision/contact/sweep.ts, which tells how and why. Points go by x⁻ and the displacement x - x⁻, which keeps the
// small differences that contact is about out of the large coordinates.
//
// Drivers that inline every call (SwiftShader does) compile a function once for each place that calls it. The signed
// distance is by far the largest, so the stages of the query share one loop with one call.

#import "collision/bindings.wgsl"
#import "collision/pose.wgsl"
#import "collision/distance/signed-distance.wgsl"

const TOUCHING = 0.05;
const SAME_SIDE = 0.7;
const SAME_WAY = 0.99;
const MOST_STEPS = 64u;
const LEAST_STEP = 0.125;
const BISECTIONS = 4u;

struct SweepContact {
  normal: vec3f,
  push: f32,
  surfaceDisplacement: vec3f,
  normalChange: vec3f,
  touching: bool,
  // the signed distance at the end of the path is at least this [m]
  clearance: f32,
}

fn noContact(clearance: f32) -> SweepContact {
  return SweepContact(vec3f(0.0), 0.0, vec3f(0.0), vec3f(0.0), false, clearance);
}

// Distance of a point from the box of the primitive [m], 0 inside: no more than its distance from the primitive.
fn boundsDistance(k: u32, p: vec3f) -> f32 {
  let outside = max(max(colliders[k].boundsMin - p, p - colliders[k].boundsMax), vec3f(0.0));
  return max(0.0, length(outside) - colliders[k].slack);
}

// Distance up to which a point touches. A thickness of less than 0 is that of a point that may be within.
fn reachOf(thickness: f32) -> f32 {
  return select(1.0 + TOUCHING, 1.0 - TOUCHING, thickness < 0.0) * thickness;
}

// Whether the path, grown by the thickness, is clear of the box of the primitive.
fn pathMisses(k: u32, start: vec3f, displacement: vec3f, thickness: f32) -> bool {
  let end = start + displacement;
  let reach = vec3f(reachOf(thickness) + colliders[k].slack);
  return !(all(min(start, end) - reach <= colliders[k].boundsMax) && all(max(start, end) + reach >= colliders[k].boundsMin));
}

fn sweepContact(
  k: u32,
  start: vec3f,
  displacement: vec3f,
  thickness: f32,
  fraction0: f32,
  fraction1: f32,
  isPrediction: bool,
) -> SweepContact {
  if (pathMisses(k, start, displacement, thickness)) { return noContact(boundsDistance(k, start + displacement)); }
  let moving = isMoving(k);
  let pose0 = poseAtStart(k, fraction0);
  var pose1 = pose0;
  let p0 = rotateBackBy(pose0.rotation, start - pose0.position);
  var way = rotateBackBy(pose0.rotation, displacement);
  if (moving) {
    pose1 = poseAtEnd(k, fraction1);
    way = rotateBackBy(pose1.rotation, start - pose1.position + displacement) - p0;
  }
  let local = localContact(k, p0, way, thickness, isPrediction);
  if (!local.touching) { return noContact(local.clearance); }
  let normal = rotateBy(pose1.rotation, local.normal);
  var surfaceDisplacement = vec3f(0.0);
  var normalChange = vec3f(0.0);
  if (moving) {
    normalChange = normal - rotateBy(pose0.rotation, local.normal);
    let surface = p0 + way + local.toSurface;
    let turned = rotateBy(pose1.rotation, surface) - rotateBy(pose0.rotation, surface);
    surfaceDisplacement = turned + (pose1.position - pose0.position);
  }
  return SweepContact(normal, local.push, surfaceDisplacement, normalChange, true, local.clearance);
}

struct LocalContact {
  normal: vec3f,
  push: f32,
  // from the end of the path to the surface point below the contact
  toSurface: vec3f,
  touching: bool,
  // signed distance at the end of the path [m]
  clearance: f32,
}

// Purpose of a query of the signed distance
const AT_END = 0u;
const AT_START = 1u;
const FOLLOWING_PATH = 2u;
const BISECTING = 3u;
const PUSHING_OUT = 4u;
const BESIDE = 5u;

// Whether a step of the path, from a normal to the next one, goes through what is thinner than the step.
fn goesThrough(a: vec3f, b: vec3f, way: vec3f) -> bool {
  return dot(a, b) < -SAME_SIDE && dot(a, way) < 0.0;
}

// The query in the frame of the primitive: a point goes from p0 to p0 + way.
fn localContact(k: u32, p0: vec3f, way: vec3f, thickness: f32, isPrediction: bool) -> LocalContact {
  var none: LocalContact;
  let p1 = p0 + way;
  let pathLength = length(way);
  var phi1 = vec4f(0.0);
  // the last place outside on the path, φ there, and the first place inside; as fractions of the path
  var outside = 0.0;
  var entry = vec4f(0.0);
  var inside = 1.0;
  // φ at the start, and where the path enters: at the surface, or a thickness above it for a path that ends beside the solid
  var phi0 = vec4f(0.0);
  var level = 0.0;
  var shift = vec3f(0.0);
  var stage = AT_END;
  var point = p1;
  var t = 0.0;
  // rounds left in this stage
  var left = MOST_STEPS;
  // A query ends by itself; the bound is for inputs that are not numbers.
  for (var i = 0u; i < 2u * (MOST_STEPS + BISECTIONS) + 6u; i++) {
    let phi = signedDistance(k, point);
    var advance = false;
    var entered = false;
    var beside = false;
    switch stage {
      case AT_END: {
        none.clearance = phi.w;
        if (phi.w > pathLength + reachOf(thickness)) { return none; }
        if (phi.w > pathLength) { return pushAlong(phi, thickness); }
        phi1 = phi;
        point = p0;
        stage = AT_START;
      }
      case AT_START: {
        entry = phi;
        phi0 = phi;
        let sameWay = colliders[k].kind <= COLLIDER_HULL && dot(phi.xyz, phi1.xyz) > SAME_WAY;
        if (phi.w <= 0.0 || (sameWay && phi1.w <= 0.0)) {
          entered = true;
        } else if (phi1.w > 0.0 && (sameWay || phi.w + phi1.w > pathLength)) {
          beside = true;
        } else {
          advance = true;
        }
      }
      case FOLLOWING_PATH: {
        if (phi.w <= level) {
          inside = t;
          stage = BISECTING;
          left = BISECTIONS;
        } else if (entry.w - level < LEAST_STEP * thickness && goesThrough(entry.xyz, phi.xyz, way)) {
          entered = true;
        } else {
          outside = t;
          entry = phi;
          advance = true;
        }
      }
      case BISECTING: {
        if (phi.w <= level) {
          inside = t;
        } else {
          outside = t;
          entry = phi;
        }
        left--;
        entered = left == 0u;
      }
      case BESIDE: {
        entry = phi;
        entered = phi.w <= level;
        advance = !entered;
      }
      default: {
        if (phi.w < thickness) { shift += (thickness - phi.w) * phi.xyz; }
        left--;
        if (left == 0u || phi.w >= thickness) { return pushBy(shift, thickness, phi1.w); }
        point = p1 + shift;
      }
    }
    if (advance && left == 0u) {
      entered = true;
    } else if (advance) {
      stage = FOLLOWING_PATH;
      left--;
      t = outside + max(entry.w - level, LEAST_STEP * thickness) / pathLength;
      if (t >= 1.0) {
        entered = entry.w - level < LEAST_STEP * thickness && goesThrough(entry.xyz, phi1.xyz, way);
        beside = !entered && phi1.w > level;
        stage = BISECTING;
        left = BISECTIONS;
      }
    }
    if (entered) {
      if (dot(entry.xyz, phi1.xyz) < select(SAME_SIDE, SAME_WAY, level > 0.0)) {
        // to the near side of the tangent plane at the entry
        let height = entry.w - thickness + (1.0 - outside) * dot(entry.xyz, way);
        shift = max(-height, 0.0) * entry.xyz;
      } else {
        beside = phi1.w > 0.0;
        shift = max(thickness - phi1.w, 0.0) * phi1.xyz;
      }
      point = p1 + shift;
      stage = PUSHING_OUT;
      left = 2u;
    } else if (stage == BISECTING) {
      t = 0.5 * (outside + inside);
    }
    if (beside) {
      if (!isPrediction || level > 0.0 || phi0.w <= 0.0 || phi1.w >= thickness || dot(phi0.xyz, phi1.xyz) >= SAME_WAY) {
        return pushAlong(phi1, thickness);
      }
      level = thickness;
      outside = 0.0;
      inside = 1.0;
      point = p0;
      stage = BESIDE;
      left = MOST_STEPS;
    }
    if (stage == FOLLOWING_PATH || stage == BISECTING) { point = p0 + t * way; }
  }
  return none;
}

// Out along the gradient at the end of the path.
fn pushAlong(phi: vec4f, thickness: f32) -> LocalContact {
  let push = thickness - phi.w;
  return LocalContact(phi.xyz, max(push, 0.0), -phi.w * phi.xyz, push >= -TOUCHING * abs(thickness), phi.w);
}

fn pushBy(shift: vec3f, thickness: f32, clearance: f32) -> LocalContact {
  let push = length(shift);
  if (push == 0.0) { return LocalContact(vec3f(0.0), 0.0, vec3f(0.0), false, clearance); }
  let normal = shift / push;
  return LocalContact(normal, push, shift - thickness * normal, true, clearance);
}
