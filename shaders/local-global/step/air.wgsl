#import "local-global/layout.wgsl"
#import "air.wgsl"
#import "wind.wgsl"

// Lift and drag of the air on the faces, then on the predictions of vertices as the mean of their faces.

// Of a body.
struct LocalGlobalAir {
  // [m/s]
  wind: vec3f,
  // [kg/m³]; 0: it feels none
  airDensity: f32,
  drag: f32,
  lift: f32,
  // [kg/m²]
  arealMass: f32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> velocity: array<vec4f>;
// vertices and body
@group(0) @binding(2) var<storage, read> airFaces: array<vec4u>;
@group(0) @binding(3) var<storage, read> airs: array<LocalGlobalAir>;
// acceleration of each face's material [m/s²]
@group(0) @binding(4) var<storage, read_write> faceAir: array<vec4f>;
// faces of each vertex, in compressed rows
@group(0) @binding(5) var<storage, read> faceOffsets: array<u32>;
@group(0) @binding(6) var<storage, read> faceEntries: array<u32>;
// q̃ − q⁻
@group(0) @binding(7) var<storage, read_write> predicted: array<vec4f>;
// column and body
@group(0) @binding(8) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(9) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

@compute @workgroup_size(64)
fn airOnFaces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&airFaces)) { return; }
  let face = airFaces[id.x];
  let air = airs[face.w];
  let origin = start[face.x].xyz;
  let areaNormal = cross(start[face.y].xyz - origin, start[face.z].xyz - origin);
  let middle = (origin + start[face.y].xyz + start[face.z].xyz) / 3.0;
  let wind = windAt(middle, air.wind) - (velocity[face.x].xyz + velocity[face.y].xyz + velocity[face.z].xyz) / 3.0;
  if (!(air.airDensity > 0.0)) {
    faceAir[id.x] = vec4f(0.0);
    return;
  }
  let acceleration =
    faceAirAcceleration(areaNormal, wind, air.airDensity, air.drag, air.lift, air.arealMass, step.h);
  faceAir[id.x] = vec4f(acceleration, 0.0);
}

// After `predict`.
@compute @workgroup_size(64)
fn airOnVertices(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= step.vertexCount || bodyStates[vertices[i].y].frozenAt != 0u) { return; }
  let first = faceOffsets[i];
  let last = faceOffsets[i + 1u];
  var sum = vec3f(0.0);
  for (var k = first; k < last; k++) { sum += faceAir[faceEntries[k] / 3u].xyz; }
  predicted[i] += vec4f(step.h * step.h / max(1.0, f32(last - first)) * sum, 0.0);
}
