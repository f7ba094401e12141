// Twin of src/collision/distance/heightfield-distance.ts.

#import "collision/bindings.wgsl"
#import "collision/distance/triangle.wgsl"

// size: samples x, z and cell sides x, z; data: lowest point, cosine of the steepest slope, then the heights
fn heightfieldDistance(p: vec3f, size: vec4f, data: u32) -> vec4f {
  let n = vec2u(size.xy);
  let cell = size.zw;
  let half = 0.5 * cell * (size.xy - 1.0);
  let g = (clamp(p.xz, -half, half) + half) / cell;
  let corner = min(floor(g), size.xy - 2.0);
  let f = g - corner;
  let at = data + 2u + u32(corner.y) * n.x + u32(corner.x);
  let right = colliderData[at + 1u];
  let next = colliderData[at + n.x];
  var height: f32;
  var rise: vec2f;
  if (f.x + f.y <= 1.0) {
    let near = colliderData[at];
    rise = vec2f(right - near, next - near);
    height = near + f.x * rise.x + f.y * rise.y;
  } else {
    let far = colliderData[at + n.x + 1u];
    rise = vec2f(far - next, far - right);
    height = far - (1.0 - f.x) * rise.x - (1.0 - f.y) * rise.y;
  }
  let side = select(1.0, -1.0, p.y < height);
  let slope = rise / cell;
  var gradient = vec3f(-slope.x, 1.0, -slope.y) / sqrt(1.0 + dot(slope, slope));
  var field = abs(p.y - height) * colliderData[data + 1u];
  let reach = 0.5 * min(cell.x, cell.y);
  if (field < reach) {
    let way = wayFromSurface(p, vec2f(half), g, n, cell, data + 2u, reach);
    if (way.w < reach && way.w > 1e-3 * reach) { gradient = side * way.xyz / way.w; }
    field = max(field, min(way.w, reach));
  }
  let slab = slabDistance(p, half, colliderData[data]);
  if (slab.w <= side * field) { return vec4f(gradient, side * field); }
  return slab;
}

// From the closest point of the triangles around the nearest sample to p, and how far that is; at most reach.
fn wayFromSurface(p: vec3f, half: vec2f, g: vec2f, n: vec2u, cell: vec2f, heights: u32, reach: f32) -> vec4f {
  let center = vec2i(floor(g + 0.5));
  let low = max(center - 1, vec2i(0));
  let high = min(center, vec2i(n) - 2);
  var best = vec4f(0.0, 0.0, 0.0, reach * reach);
  for (var j = low.y; j <= high.y; j++) {
    for (var i = low.x; i <= high.x; i++) {
      let at = heights + u32(j) * n.x + u32(i);
      let origin = vec2f(vec2i(i, j)) * cell - (p.xz + half);
      let right = vec3f(origin.x + cell.x, colliderData[at + 1u] - p.y, origin.y);
      let next = vec3f(origin.x, colliderData[at + n.x] - p.y, origin.y + cell.y);
      // the two triangles share the diagonal; one call, see sweep.wgsl
      for (var upper = 0u; upper < 2u; upper++) {
        let corner = origin + f32(upper) * cell;
        let third = vec3f(corner.x, colliderData[at + upper * (n.x + 1u)] - p.y, corner.y);
        let point = closestToOrigin(third, right, next).point;
        let squared = dot(point, point);
        if (squared < best.w) { best = vec4f(-point, squared); }
      }
    }
  }
  return vec4f(best.xyz, sqrt(best.w));
}

fn slabDistance(p: vec3f, half: vec2f, bottom: f32) -> vec4f {
  let q = vec3f(abs(p.x) - half.x, bottom - p.y, abs(p.z) - half.y);
  let side = vec3f(select(1.0, -1.0, p.x < 0.0), -1.0, select(1.0, -1.0, p.z < 0.0));
  let most = max(q.x, max(q.y, q.z));
  if (most > 0.0) {
    let d = max(q, vec3f(0.0));
    let distance = length(d);
    return vec4f(side * d / distance, distance);
  }
  if (q.x == most) { return vec4f(side.x, 0.0, 0.0, most); }
  if (q.y == most) { return vec4f(0.0, side.y, 0.0, most); }
  return vec4f(0.0, 0.0, side.z, most);
}
