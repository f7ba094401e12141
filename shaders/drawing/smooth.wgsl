// Vertices of a finer mesh from those of a coarse one, see src/geometry/triangles/curved-middles.ts.

// position xyz, normal xyz
@group(0) @binding(0) var<storage, read> coarse: array<f32>;
@group(0) @binding(1) var<storage, read_write> fine: array<f32>;
// the two parents of each vertex that the coarse mesh lacks
@group(0) @binding(2) var<storage, read> parents: array<vec2u>;
// number of vertices of the coarse mesh; the first vertex of this dispatch, and the one after its last
@group(0) @binding(3) var<storage, read> range: array<u32, 3>;

fn at(i: u32) -> vec3f {
  return vec3f(fine[i], fine[i + 1u], fine[i + 2u]);
}

fn put(i: u32, v: vec3f) {
  fine[i] = v.x;
  fine[i + 1u] = v.y;
  fine[i + 2u] = v.z;
}

@compute @workgroup_size(64)
fn smoothVertices(@builtin(global_invocation_id) id: vec3u) {
  let vertex = range[1] + id.x;
  if (vertex >= range[2]) { return; }
  if (vertex < range[0]) {
    for (var i = 6u * vertex; i < 6u * vertex + 6u; i++) { fine[i] = coarse[i]; }
    return;
  }
  let pair = 6u * parents[vertex - range[0]];
  let a = at(pair.x);
  let b = at(pair.y);
  let na = at(pair.x + 3u);
  let nb = at(pair.y + 3u);
  let edge = b - a;
  put(6u * vertex, 0.5 * (a + b) + 0.125 * (dot(edge, nb) * nb - dot(edge, na) * na));
  let normal = na + nb;
  let size = length(normal);
  put(6u * vertex + 3u, select(na, normal / size, size > 0.0));
}
