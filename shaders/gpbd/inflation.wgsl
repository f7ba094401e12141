#import "gpbd/step.wgsl"

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
// x of each particle
@group(0) @binding(2) var<storage, read_write> places: array<vec3f>;
// w g of each particle
@group(0) @binding(3) var<storage, read_write> directions: array<vec3f>;
// parts of V and G
@group(0) @binding(4) var<storage, read_write> partialSums: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> inflationState: InflationState;
// Particles around each particle: a closed walk, see vertexRings.
@group(0) @binding(6) var<storage, read> ringOffsets: array<u32>;
@group(0) @binding(7) var<storage, read> ringEntries: array<u32>;
@group(0) @binding(8) var<uniform> inflation: InflationParameters;

const GROUP = 64u;
// Particles of an invocation.
const VOLUME_CHUNK = 8u;
var<workgroup> sums: array<vec2f, 64>;

fn chunkCount() -> u32 {
  return (step.particleCount + VOLUME_CHUNK - 1u) / VOLUME_CHUNK;
}

// Once for all rings that a particle is in: what they read is most of the time.
@compute @workgroup_size(64)
fn findPlaces(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < step.particleCount) { places[p] = start[p].xyz + displacement[p].xyz; }
}

// 6 g: twice the area vector of the faces around. Each place of the ring is read once, where two of each face were twice as many.
fn ringArea(p: u32, x: vec3f) -> vec3f {
  let first = ringOffsets[p];
  let end = ringOffsets[p + 1u];
  var sum = vec3f(0.0);
  if (first < end) {
    let begin = places[ringEntries[first]] - x;
    var b = begin;
    for (var i = first + 1u; i < end; i++) {
      let c = places[ringEntries[i]] - x;
      sum += cross(b, c);
      b = c;
    }
    sum += cross(b, begin);
  }
  return sum;
}

// w g of each particle; of V, which is of degree three in the positions, its part x · g / 3; and of G w |g|². No barriers:
// one in every workgroup of particles took several times as long on a software GPU.
@compute @workgroup_size(64)
fn gatherVolume(@builtin(global_invocation_id) id: vec3u) {
  let chunks = chunkCount();
  if (id.x >= chunks) { return; }
  // Of a closed surface it is all one where the origin is; near it, digits are kept.
  let origin = places[0];
  var sum = vec2f(0.0);
  for (var p = id.x; p < step.particleCount; p += chunks) {
    let x = places[p];
    let gradient = inflation.side / 6.0 * ringArea(p, x);
    let direction = step.h * step.h * displacement[p].w * gradient;
    directions[p] = direction;
    sum += vec2f(dot(x - origin, gradient) / 3.0, dot(direction, gradient));
  }
  partialSums[id.x] = sum;
}

// V and G for the first invocation of the one workgroup, which adds up what the others found: to a software GPU every further barrier
// is dearer than that.
fn totals(index: u32) -> vec2f {
  var own = vec2f(0.0);
  for (var i = index; i < chunkCount(); i += GROUP) { own += partialSums[i]; }
  sums[index] = own;
  workgroupBarrier();
  var total = vec2f(0.0);
  if (index == 0u) {
    for (var i = 0u; i < GROUP; i++) { total += sums[i]; }
  }
  return total;
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
  if (p < step.particleCount) { displacement[p] += vec4f(inflationState.change * directions[p], 0.0); }
}
