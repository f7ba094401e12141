#import "gpbd/step.wgsl"

// Pressure in a closed surface: twin of inflation.ts, which tells the formula. The volume is a sum over all particles, taken
// in stages whose order never changes, so that runs are bit-identical. The angular momentum that sweeps add is a sum, too, and goes again:
// see kept-turn.ts.

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
  // particle about which the body has angular momentum, TURNS_FREELY for its center of mass, TURN_HELD where pins take it
  pivot: u32,
}

struct InflationState {
  // λ of the substep [Pa]
  pressure: f32,
  // Δλ of the last solve [Pa]
  change: f32,
  // V when it was last looked at [m³]
  volume: f32,
  // Σ m (x⁻ − o) × d before the sweep [kg m²]
  turning: vec3f,
  // rotation that gives it back, about `center`
  rotation: vec3f,
  center: vec3f,
}

// Sums over particles, with r = x⁻ − o.
struct InflationSums {
  // Σ m r
  first: vec3f,
  // Σ m
  mass: f32,
  // Σ m r × d
  turning: vec3f,
  // V
  volume: f32,
  // Σ r × g
  pushed: vec3f,
  // G
  gramian: f32,
  // Σ m r r, and Σ m of yz, zx, xy
  squares: vec3f,
  products: vec3f,
}

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// x of each particle
@group(0) @binding(2) var<storage, read_write> places: array<vec3f>;
// w g of each particle
@group(0) @binding(3) var<storage, read_write> directions: array<vec3f>;
@group(0) @binding(4) var<storage, read_write> partialSums: array<InflationSums>;
@group(0) @binding(5) var<storage, read_write> inflationState: InflationState;
// Particles around each particle: a closed walk, see vertexRings.
@group(0) @binding(6) var<storage, read> ringOffsets: array<u32>;
@group(0) @binding(7) var<storage, read> ringEntries: array<u32>;
@group(0) @binding(8) var<uniform> inflation: InflationParameters;

const GROUP = 64u;
// Particles of an invocation.
const VOLUME_CHUNK = 8u;
const TURNS_FREELY = 0xffffffffu;
const TURN_HELD = 0xfffffffeu;
var<workgroup> sums: array<InflationSums, 64>;

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

// o: near the body, digits are kept.
fn originOfSums() -> vec3f {
  return start[select(inflation.pivot, 0u, inflation.pivot >= TURN_HELD)].xyz;
}

fn addSums(a: InflationSums, b: InflationSums) -> InflationSums {
  return InflationSums(
    a.first + b.first, a.mass + b.mass, a.turning + b.turning, a.volume + b.volume, a.pushed + b.pushed, a.gramian + b.gramian,
    a.squares + b.squares, a.products + b.products
  );
}

// w g of each particle; of V, which is of degree three in the positions, its part x · g / 3; of G w |g|²; and what turns. No barriers:
// one in every workgroup of particles took several times as long on a software GPU.
@compute @workgroup_size(64)
fn gatherVolume(@builtin(global_invocation_id) id: vec3u) {
  let chunks = chunkCount();
  if (id.x >= chunks) { return; }
  let origin = originOfSums();
  var sum = InflationSums();
  for (var p = id.x; p < step.particleCount; p += chunks) {
    let x = places[p];
    let gradient = inflation.side / 6.0 * ringArea(p, x);
    let inverseMass = displacement[p].w;
    let direction = step.h * step.h * inverseMass * gradient;
    directions[p] = direction;
    let r = start[p].xyz - origin;
    let m = select(0.0, 1.0 / inverseMass, inverseMass > 0.0);
    let pushed = select(vec3f(0.0), cross(r, gradient), inverseMass > 0.0);
    sum = addSums(sum, InflationSums(
      m * r, m, m * cross(r, displacement[p].xyz), dot(x - origin, gradient) / 3.0, pushed, dot(direction, gradient), m * r * r,
      m * r.yzx * r.zxy
    ));
  }
  partialSums[id.x] = sum;
}

// All sums for the first invocation of the one workgroup, which adds up what the others found: to a software GPU every further barrier
// is dearer than that.
fn totals(index: u32) -> InflationSums {
  var own = InflationSums();
  for (var i = index; i < chunkCount(); i += GROUP) { own = addSums(own, partialSums[i]); }
  sums[index] = own;
  workgroupBarrier();
  var total = InflationSums();
  if (index == 0u) {
    for (var i = 0u; i < GROUP; i++) { total = addSums(total, sums[i]); }
  }
  return total;
}

// I⁻¹ b about c, which is relative to o.
fn rotationOf(sum: InflationSums, c: vec3f, b: vec3f) -> vec3f {
  let squares = sum.squares - sum.mass * c * c;
  let products = sum.products - sum.mass * c.yzx * c.zxy;
  let diagonal = squares.yzx + squares.zxy;
  let size = diagonal.x + diagonal.y + diagonal.z;
  let x = vec3f(diagonal.x, -products.z, -products.y) / size;
  let y = vec3f(-products.z, diagonal.y, -products.x) / size;
  let z = vec3f(-products.y, -products.x, diagonal.z) / size;
  let determinant = dot(x, cross(y, z)) * size;
  return select(vec3f(0.0), mat3x3f(cross(y, z), cross(z, x), cross(x, y)) * b / determinant, determinant > 0.0);
}

fn pressureAt(volume: f32) -> f32 {
  return inflation.gauge + inflation.amount / max(volume, inflation.floor) - inflation.slope * volume;
}

// Whether λ is nothing yet.
override isFirst: bool = false;

// Δλ = (π(V) − λ) / (1 + G U''(V)); then the rotation
@compute @workgroup_size(64)
fn solvePressure(@builtin(local_invocation_index) index: u32) {
  let sum = totals(index);
  if (index > 0u) { return; }
  let bounded = max(sum.volume, inflation.floor);
  let stiffness = inflation.amount / (bounded * bounded) + inflation.slope;
  let pressure = select(inflationState.pressure, 0.0, isFirst);
  let change = (pressureAt(sum.volume) - pressure) / (1.0 + sum.gramian * stiffness);
  inflationState.pressure = pressure + change;
  inflationState.change = change;
  inflationState.volume = sum.volume;
  if (isFirst) { inflationState.turning = sum.turning; }
  let center = select(vec3f(0.0), sum.first / sum.mass, inflation.pivot == TURNS_FREELY);
  let missing = inflationState.turning - sum.turning - step.h * step.h * change * sum.pushed;
  inflationState.rotation = select(rotationOf(sum, center, missing), vec3f(0.0), inflation.pivot == TURN_HELD);
  inflationState.center = originOfSums() + center;
}

// Before a sweep whose start is not that of the last solve.
@compute @workgroup_size(64)
fn noteTurning(@builtin(local_invocation_index) index: u32) {
  let sum = totals(index);
  if (index == 0u) { inflationState.turning = sum.turning; }
}

// Δd = W gᵀ Δλ (18), and what turns
@compute @workgroup_size(64)
fn pushOut(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount || !(displacement[p].w > 0.0)) { return; }
  let turned = cross(inflationState.rotation, start[p].xyz - inflationState.center);
  displacement[p] += vec4f(inflationState.change * directions[p] + turned, 0.0);
}
