// Twin of src/collision/contact/face-contact.ts.

#import "collision/distance/deepest-point.wgsl"
#import "collision/contact/friction.wgsl"
#import "collision/contact/push-share.wgsl"
#import "collision/contact/sweep.wgsl"

const FACE_THICKNESS = 0.5;
const AT_VERTEX = 0.98;
const FURTHEST_CORNER = 2.0;
const ON_EDGE = 0.001;
const STRAIGHT = 0.1;

// One vector for each corner of a face [m].
struct FaceVectors {
  a: vec3f,
  b: vec3f,
  c: vec3f,
}

struct FaceContact {
  // how far to move the corners [m]
  push: FaceVectors,
  hit: bool,
  // the last proxy that is met, see ColliderPrimitive.proxy; 0 for none
  proxy: u32,
}

// start: x⁻; displacement: x - x⁻; weights: inverse masses of the corners [1/kg]; isEdge: the second and third corner are one particle
fn resolveFaceContact(
  count: u32,
  start: FaceVectors,
  displacement: FaceVectors,
  weights: vec3f,
  isEdge: bool,
  bodyThickness: f32,
  friction: f32,
  fraction0: f32,
  fraction1: f32,
) -> FaceContact {
  let thickness = FACE_THICKNESS * bodyThickness;
  var d = displacement;
  let now = FaceVectors(start.a + d.a, start.b + d.b, start.c + d.c);
  let radius = max(faceRadius(start), faceRadius(now));
  let low = min(min(min(start.a, start.b), min(start.c, now.a)), min(now.b, now.c));
  let high = max(max(max(start.a, start.b), max(start.c, now.a)), max(now.b, now.c));
  var hit = false;
  var proxy = 0u;
  for (var k = 0u; k < count; k++) {
    if (pathMisses(k, low, high - low, thickness)) { continue; }
    var b = findDeepest(k, start, d, radius, thickness, fraction0, fraction1);
    b = select(b, vec3f(b.x, b.y + b.z, 0.0), isEdge);
    if (max(b.x, max(b.y, b.z)) >= AT_VERTEX) { continue; }
    let from_ = b.x * start.a + b.y * start.b + b.z * start.c;
    let way = b.x * d.a + b.y * d.b + b.z * d.c;
    let found = sweepContact(k, from_, way, thickness, fraction0, fraction1, false);
    let share = weights * max(b, vec3f());
    let sum = max(dot(share, b), max(share.x, max(share.y, share.z)) / FURTHEST_CORNER);
    if (!found.touching || found.push == 0.0 || sum == 0.0) { continue; }
    let normal = select(found.normal, acrossFace(b, start, d, found.normal), hasCreases(k));
    let u = way - found.surfaceDisplacement;
    let sliding = u - dot(u, normal) * normal;
    let slid = length(sliding);
    let limit = frictionWith(k, friction) * found.push;
    let back = select(0.0, min(1.0, limit / slid), slid > 0.0);
    let part = pushShare(k, sum, from_ + way, normal);
    let shift = part * (found.push * normal - back * sliding) / sum;
    d.a += share.x * shift;
    d.b += share.y * shift;
    d.c += share.z * shift;
    hit = true;
    proxy = select(proxy, colliders[k].proxy, colliders[k].proxy != 0u);
  }
  return FaceContact(FaceVectors(d.a - displacement.a, d.b - displacement.b, d.c - displacement.c), hit, proxy);
}

// Whether φ has creases beside the surface, where its gradient leaps.
fn hasCreases(k: u32) -> bool {
  let kind = colliders[k].kind;
  return kind == COLLIDER_HULL || kind == COLLIDER_GRID || kind == COLLIDER_HEIGHTFIELD;
}

// A normal without what it has along the face, or along the edge, in which the point with barycentric coordinates b lies.
fn acrossFace(b: vec3f, start: FaceVectors, d: FaceVectors, normal: vec3f) -> vec3f {
  let ab = start.b - start.a + (d.b - d.a);
  let ac = start.c - start.a + (d.c - d.a);
  let face = cross(ab, ac);
  var across = dot(normal, face) * face;
  if (min(b.x, min(b.y, b.z)) < ON_EDGE) {
    let edge = select(select(ab, ac, b.y < ON_EDGE), ac - ab, b.x < ON_EDGE);
    across = dot(edge, edge) * normal - dot(normal, edge) * edge;
  }
  let size = length(across);
  return select(normal, across / size, dot(normal, across) > STRAIGHT * size);
}

fn faceRadius(f: FaceVectors) -> f32 {
  let center = (f.a + f.b + f.c) / 3.0;
  return max(distance(f.a, center), max(distance(f.b, center), distance(f.c, center)));
}

// Barycentric coordinates of the deepest point, or those of a vertex where the face is surely clear of the primitive.
fn findDeepest(
  k: u32,
  start: FaceVectors,
  d: FaceVectors,
  radius: f32,
  thickness: f32,
  fraction0: f32,
  fraction1: f32,
) -> vec3f {
  let pose0 = poseAtStart(k, fraction0);
  var pose1 = pose0;
  if (isMoving(k)) { pose1 = poseAtEnd(k, fraction1); }
  let a = rotateBackBy(pose1.rotation, start.a + d.a - pose1.position);
  let b = rotateBackBy(pose1.rotation, start.b + d.b - pose1.position);
  let c = rotateBackBy(pose1.rotation, start.c + d.c - pose1.position);
  let a0 = rotateBackBy(pose0.rotation, start.a - pose0.position);
  let b0 = rotateBackBy(pose0.rotation, start.b - pose0.position);
  let c0 = rotateBackBy(pose0.rotation, start.c - pose0.position);
  let centroidMoved = distance((a + b + c) / 3.0, (a0 + b0 + c0) / 3.0);
  let moved = max(distance(a, a0), max(distance(b, b0), distance(c, c0)));
  return deepestPoint(k, a, b, c, radius, radius + thickness + centroidMoved, max(thickness, moved));
}
