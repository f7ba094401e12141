// Twin of src/collision/distance/signed-distance.ts: distance [m] in w, negative inside, and the direction of its growth in xyz.

#import "collision/bindings.wgsl"
#import "collision/distance/grid-distance.wgsl"
#import "collision/distance/heightfield-distance.wgsl"

// Which kinds a pipeline has to know: those of the scene, so that the others cost neither code nor registers. An override
// stands alone in its condition: compilers leave out `if (false)`, not all of them `if (false && kind == …)`.
override withSpheres: bool = true;
override withBoxes: bool = true;
override withCapsules: bool = true;
override withCylinders: bool = true;
override withHulls: bool = true;
override withGrids: bool = true;
override withHeightfields: bool = true;

// k: primitive; p: point in its frame [m]
fn signedDistance(k: u32, p: vec3f) -> vec4f {
  let size = colliders[k].size;
  let kind = colliders[k].kind;
  if (withSpheres) {
    if (kind == COLLIDER_SPHERE) { return ballDistance(p, size.x); }
  }
  if (withBoxes) {
    if (kind == COLLIDER_BOX) { return boxDistance(p, size.xyz); }
  }
  if (withCapsules) {
    if (kind == COLLIDER_CAPSULE) { return ballDistance(vec3f(p.x, p.y - clamp(p.y, -size.x, size.x), p.z), size.y); }
  }
  if (withCylinders) {
    if (kind == COLLIDER_CYLINDER) { return cylinderDistance(p, size.x, size.y); }
  }
  if (withHulls) {
    if (kind == COLLIDER_HULL) { return hullDistance(p, colliders[k].dataOffset, u32(size.x)); }
  }
  if (withGrids) {
    if (kind == COLLIDER_GRID) { return gridDistance(p, size, colliders[k].dataOffset); }
  }
  if (withHeightfields) {
    if (kind == COLLIDER_HEIGHTFIELD) { return heightfieldDistance(p, size, colliders[k].dataOffset); }
  }
  return vec4f(0.0, 1.0, 0.0, 1e30);
}

fn ballDistance(p: vec3f, radius: f32) -> vec4f {
  let distance = length(p);
  if (distance == 0.0) { return vec4f(1.0, 0.0, 0.0, -radius); }
  return vec4f(p / distance, distance - radius);
}

fn boxDistance(p: vec3f, half: vec3f) -> vec4f {
  let q = abs(p) - half;
  // unlike sign(), never zero
  let side = select(vec3f(1.0), vec3f(-1.0), p < vec3f(0.0));
  let inside = max(q.x, max(q.y, q.z));
  if (inside <= 0.0) {
    if (q.x == inside) { return vec4f(side.x, 0.0, 0.0, inside); }
    if (q.y == inside) { return vec4f(0.0, side.y, 0.0, inside); }
    return vec4f(0.0, 0.0, side.z, inside);
  }
  let d = max(q, vec3f(0.0));
  let distance = length(d);
  return vec4f(side * d / distance, distance);
}

fn cylinderDistance(p: vec3f, half: f32, radius: f32) -> vec4f {
  let rho = length(p.xz);
  let q = vec2f(rho - radius, abs(p.y) - half);
  let inside = max(q.x, q.y);
  var out = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), q.x == inside);
  var distance = inside;
  if (inside > 0.0) {
    let d = max(q, vec2f(0.0));
    distance = length(d);
    out = d / distance;
  }
  var around = vec2f(1.0, 0.0);
  if (rho > 0.0) { around = p.xz / rho; }
  return vec4f(out.x * around.x, select(out.y, -out.y, p.y < 0.0), out.x * around.y, distance);
}

fn hullDistance(p: vec3f, data: u32, count: u32) -> vec4f {
  var best = vec4f(0.0, 1.0, 0.0, -1e30);
  for (var i = data; i < data + 4u * count; i += 4u) {
    let n = vec3f(colliderData[i], colliderData[i + 1u], colliderData[i + 2u]);
    let distance = dot(n, p) - colliderData[i + 3u];
    if (distance > best.w) { best = vec4f(n, distance); }
  }
  return best;
}
