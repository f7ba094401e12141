#import "gpbd/step.wgsl"
#import "gpbd/faces.wgsl"

// Pressure in a closed surface: twin of inflation.ts, which tells the formula. The volume is a sum over all particles, taken
// in stages whose order never changes, so that runs are bit-identical.

// π(V) = gauge + amount / max(V, floor) − slope V
struct InflationParameters {
  // A [Pa]
  gauge: f32,
  // C [Pa m³]
  amount: f32,
  // B [Pa/m³]
  slope: f32,
  // [m³]
  floor: f32,
  // 1 where faces are counter-clockwise seen from outside, −1 where clockwise
  side: f32,
}

struct InflationState {
  // λ of the substep [Pa]
  pressure: f32,
  // Δλ of the last solve [Pa]
  change: f32,
  // V when it was last looked at [m³]
  volume: f32,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// g, and its part of V
@group(0) @binding(2) var<storage, read_write> volumeGradient: array<vec4f>;
// V and G of VOLUME_CHUNK particles each
@group(0) @binding(3) var<storage, read_write> partialSums: array<vec2f>;
@group(0) @binding(4) var<storage, read_write> inflationState: InflationState;
@group(0) @binding(7) var<storage, read> faces: array<u32>;
@group(0) @binding(8) var<uniform> inflation: InflationParameters;
// x of each particle
@group(0) @binding(9) var<storage, read_write> places: array<vec4f>;

const GROUP = 64u;
const VOLUME_CHUNK = 16u;
var<workgroup> sums: array<vec2f, 64>;

// Once for all faces around: what they read is most of the time.
@compute @workgroup_size(64)
fn findPlaces(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < step.particleCount) {
    places[p] = vec4f(start[p].xyz + displacement[p].xyz, 0.0);
  }
}

// g of each particle; of V, which is of degree three in the positions, its part x · g / 3.
@compute @workgroup_size(64)
fn gatherVolume(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let x = places[p].xyz;
  var sum = vec3f(0.0);
  let end = faceOffsets[p + 1u];
  for (var i = faceOffsets[p]; i < end; i++) {
    let entry = faceEntries[i];
    let face = 3u * (entry / 3u);
    // The same area vector from each corner; the next two by comparisons, as divisions are dear.
    let b = places[faces[select(entry + 1u, face, entry == face + 2u)]].xyz;
    let c = places[faces[select(entry - 1u, face + 2u, entry == face)]].xyz;
    sum += cross(b - x, c - x);
  }
  let gradient = inflation.side * sum / 6.0;
  volumeGradient[p] = vec4f(gradient, dot(x - places[faces[0]].xyz, gradient) / 3.0);
}

// An invocation for each chunk: a barrier in every workgroup of particles took several times as long on a software GPU.
@compute @workgroup_size(64)
fn sumChunks(@builtin(global_invocation_id) id: vec3u) {
  let first = VOLUME_CHUNK * id.x;
  if (first >= step.particleCount) {
    return;
  }
  var sum = vec2f(0.0);
  for (var p = first; p < min(first + VOLUME_CHUNK, step.particleCount); p++) {
    let g = volumeGradient[p];
    let w = step.h * step.h * displacement[p].w;
    sum += vec2f(g.w, w * dot(g.xyz, g.xyz));
  }
  partialSums[id.x] = sum;
}

// V and G, for the one workgroup.
fn totals(index: u32) -> vec2f {
  var own = vec2f(0.0);
  let count = (step.particleCount + VOLUME_CHUNK - 1u) / VOLUME_CHUNK;
  for (var i = index; i < count; i += GROUP) {
    own += partialSums[i];
  }
  sums[index] = own;
  workgroupBarrier();
  for (var half = GROUP / 2u; half > 0u; half /= 2u) {
    if (index < half) {
      sums[index] += sums[index + half];
    }
    workgroupBarrier();
  }
  return sums[0];
}

fn pressureAt(volume: f32) -> f32 {
  return inflation.gauge + inflation.amount / max(volume, inflation.floor) - inflation.slope * volume;
}

// Whether λ is nothing yet.
override isFirst: bool = false;

// Δλ = (π(V) − λ) / (1 + G U''(V))
@compute @workgroup_size(64)
fn solvePressure(@builtin(local_invocation_index) index: u32) {
  let sum = totals(index);
  if (index == 0u) {
    let bounded = max(sum.x, inflation.floor);
    let stiffness = inflation.amount / (bounded * bounded) + inflation.slope;
    let pressure = select(inflationState.pressure, 0.0, isFirst);
    let change = (pressureAt(sum.x) - pressure) / (1.0 + sum.y * stiffness);
    inflationState = InflationState(pressure + change, change, sum.x);
  }
}

// Δd = W gᵀ Δλ (18)
@compute @workgroup_size(64)
fn pushOut(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let u = displacement[p];
  let w = step.h * step.h * u.w;
  displacement[p] = vec4f(u.xyz + w * inflationState.change * volumeGradient[p].xyz, u.w);
}
