// Twin of src/collision/distance/grid-distance.ts.

#import "collision/bindings.wgsl"

// size: samples along x, y, z and cell side; data: first sample
fn gridDistance(p: vec3f, size: vec4f, data: u32) -> vec4f {
  let cell = size.w;
  let half = 0.5 * cell * (size.xyz - 1.0);
  let q = clamp(p, -half, half);
  let g = (q + half) / cell;
  let corner = min(floor(g), size.xyz - 2.0);
  let f = g - corner;
  let c = vec3u(corner);
  let n = vec3u(size.xyz);
  let at = data + c.x + n.x * (c.y + n.y * c.z);
  let up = at + n.x * n.y;
  // along x first, on four edges at once: (y, z) = (0, 0), (1, 0), (0, 1), (1, 1)
  let low = vec4f(colliderData[at], colliderData[at + n.x], colliderData[up], colliderData[up + n.x]);
  let high = vec4f(colliderData[at + 1u], colliderData[at + n.x + 1u], colliderData[up + 1u], colliderData[up + n.x + 1u]);
  let d = high - low;
  let e = low + f.x * d;
  let f0 = e.x + f.y * (e.y - e.x);
  let f1 = e.z + f.y * (e.w - e.z);
  let value = f0 + f.z * (f1 - f0);
  let dx0 = d.x + f.y * (d.y - d.x);
  let dx1 = d.z + f.y * (d.w - d.z);
  let slopeY = e.y - e.x + f.z * (e.w - e.z - (e.y - e.x));
  let gradient = unitOrUp(vec3f(dx0 + f.z * (dx1 - dx0), slopeY, f1 - f0));
  let away = p - q;
  let distance = length(away);
  if (distance == 0.0) { return vec4f(gradient, value); }
  let direction = unitOrUp(away + max(value, 0.0) * gradient);
  return vec4f(direction, select(distance + value, sqrt(distance * distance + value * value), value > 0.0));
}

fn unitOrUp(v: vec3f) -> vec3f {
  let size = length(v);
  if (size > 0.0) { return v / size; }
  return vec3f(0.0, 1.0, 0.0);
}
