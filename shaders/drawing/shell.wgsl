// Vertices of a sheet with a thickness, see src/geometry/triangles/sheet-shell.ts.

const BELOW = 1u;
const RIM = 2u;

// of the sheet: position xyz, normal xyz
@group(0) @binding(0) var<storage, read> sheet: array<f32>;
@group(0) @binding(1) var<storage, read_write> shell: array<f32>;
@group(0) @binding(2) var<storage, read> corners: array<vec4u>;
// half of the thickness, inverse squares of the three lengths of a unit
@group(0) @binding(3) var<storage, read> half: vec4f;

fn at(i: u32) -> vec3f {
  return vec3f(sheet[i], sheet[i + 1u], sheet[i + 2u]);
}

fn put(i: u32, v: vec3f) {
  shell[i] = v.x;
  shell[i + 1u] = v.y;
  shell[i + 2u] = v.z;
}

// Unit vector from inside to a vertex of the rim, perpendicular to the sheet's normal and to the rim.
fn outward(corner: vec4u, place: vec3f, normal: vec3f) -> vec3f {
  let along = at(6u * corner.z) - at(6u * corner.y);
  let away = place - at(6u * corner.w);
  let across = away - dot(away, along) / max(dot(along, along), 1e-30) * along;
  let out = across - dot(across, normal) * normal;
  let size = length(out);
  return select(normal, out / size, size > 0.0);
}

@compute @workgroup_size(64)
fn placeShell(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&corners)) { return; }
  let corner = corners[id.x];
  let place = at(6u * (corner.x >> 2u));
  let normal = at(6u * (corner.x >> 2u) + 3u);
  let side = select(1.0, -1.0, (corner.x & BELOW) != 0u);
  let raised = half.yzw * normal;
  put(6u * id.x, place + side * half.x / sqrt(max(dot(raised, normal), 1e-30)) * raised);
  var out = side * normal;
  if ((corner.x & RIM) != 0u) { out = outward(corner, place, normal); }
  put(6u * id.x + 3u, out);
}
