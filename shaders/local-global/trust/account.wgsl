#import "collision/collider.wgsl"
#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/global/sum.wgsl"
#import "local-global/trust/layout.wgsl"
#import "local-global/trust/spin.wgsl"

// Energy and motion of bodies, a workgroup each: when the frame begins, and where it has come to.

@group(0) @binding(0) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(1) var<storage, read_write> accounts: array<BodyAccount>;
@group(0) @binding(2) var<storage, read> start: array<vec4f>;
@group(0) @binding(3) var<storage, read> velocity: array<vec4f>;
// q̃ − q⁻ and mass
@group(0) @binding(4) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(5) var<storage, read> pins: array<vec4f>;
@group(0) @binding(6) var<storage, read> colliders: array<ColliderPrimitive>;
// where the frame began
@group(0) @binding(7) var<storage, read> keptPositions: array<vec4f>;
@group(0) @binding(8) var<storage, read> bodyStates: array<LocalGlobalBodyState>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> middle: vec3f;
var<workgroup> mean: vec3f;
// bits of floats that are not negative are in the order of their values
var<workgroup> pinBits: atomic<u32>;
var<workgroup> lowest: array<atomic<i32>, 3>;
var<workgroup> highest: array<atomic<i32>, 3>;
var<workgroup> mayMeet: atomic<u32>;

// Integers in the order of floats; and back.
fn ordered(value: f32) -> i32 {
  let bits = bitcast<i32>(value);
  return select(bits, bits ^ 0x7fffffff, bits < 0);
}

fn unordered(bits: i32) -> f32 {
  return bitcast<f32>(select(bits, bits ^ 0x7fffffff, bits < 0));
}

@compute @workgroup_size(SUM_WIDTH)
fn accountBodies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  let first = body.firstVertex;
  // from the first vertex, so that no digits go to where the body is
  let origin = start[first].xyz;
  if (lane < 3u) {
    atomicStore(&lowest[lane], 0x7fffffff);
    atomicStore(&highest[lane], -0x7fffffff);
  }
  var mass = 0.0;
  var weighted = vec3f(0.0);
  var momentum = vec3f(0.0);
  var low = vec3f(1e30);
  var high = vec3f(-1e30);
  var pinWay = 0.0;
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = first + k;
    let m = predicted[i].w;
    let x = start[i].xyz;
    let v = velocity[i].xyz;
    mass += m;
    weighted += m * (x - origin);
    momentum += m * v;
    let ahead = x + contactStep.frameTime * v;
    low = min(low, min(x, ahead));
    high = max(high, max(x, ahead));
    if (pins[i].w != 0.0) { pinWay = max(pinWay, length(pins[i].xyz - x)); }
  }
  let masses = workgroupSum(vec3f(mass, 0.0, 0.0), lane);
  workgroupBarrier();
  let middles = workgroupSum(weighted, lane);
  workgroupBarrier();
  let means = workgroupSum(momentum, lane);
  if (lane == 0u) {
    middle = middles / masses.x;
    mean = means / masses.x;
  }
  for (var c = 0u; c < 3u; c++) {
    atomicMin(&lowest[c], ordered(low[c]));
    atomicMax(&highest[c], ordered(high[c]));
  }
  atomicMax(&pinBits, bitcast<u32>(pinWay));
  workgroupBarrier();
  for (var c = 0u; c < 3u; c++) {
    low[c] = unordered(atomicLoad(&lowest[c]));
    high[c] = unordered(atomicLoad(&highest[c]));
  }
  for (var k = lane; k < contactStep.colliderCount; k += SUM_WIDTH) {
    if (all(low <= colliders[k].boundsMax) && all(high >= colliders[k].boundsMin)) { atomicStore(&mayMeet, 1u); }
  }
  var moment = vec3f(0.0);
  var diagonal = vec3f(0.0);
  // yz, xz, xy
  var products = vec3f(0.0);
  var kinetic = 0.0;
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = first + k;
    let m = predicted[i].w;
    let arm = start[i].xyz - origin - middle;
    let v = velocity[i].xyz;
    moment += m * cross(arm, v - mean);
    diagonal += m * (vec3f(dot(arm, arm)) - arm * arm);
    products -= m * arm.yxx * arm.zzy;
    kinetic += 0.5 * m * dot(v, v);
  }
  moment = workgroupSum(moment, lane);
  workgroupBarrier();
  diagonal = workgroupSum(diagonal, lane);
  workgroupBarrier();
  products = workgroupSum(products, lane);
  workgroupBarrier();
  let kinetics = workgroupSum(vec3f(kinetic, 0.0, 0.0), lane);
  if (lane == 0u) {
    var account = BodyAccount();
    account.middle = middle;
    account.mass = masses.x;
    account.origin = origin;
    account.kineticStart = kinetics.x;
    account.mean = mean;
    account.moment = moment;
    account.inertia = diagonal;
    account.products = products;
    account.pinWay = bitcast<f32>(atomicLoad(&pinBits));
    account.parts = 1u;
    if (atomicLoad(&mayMeet) != 0u) {
      let turn = length(spinOf(diagonal, products, moment)) * contactStep.stepTime;
      while (account.parts < MOST_PARTS && turn > FAR_TURN * f32(account.parts)) { account.parts *= 2u; }
    }
    accounts[group.x] = account;
  }
}

// After an attempt.
@compute @workgroup_size(SUM_WIDTH)
fn measureBodies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  var sums = vec3f(0.0);
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = body.firstVertex + k;
    let v = velocity[i].xyz;
    sums += predicted[i].w * vec3f(
      0.5 * dot(v, v),
      body.gravityFactor * dot(contactStep.gravity, start[i].xyz - keptPositions[i].xyz),
      0.0,
    );
  }
  sums = workgroupSum(sums, lane);
  if (lane == 0u) {
    accounts[group.x].kineticNow = sums.x;
    accounts[group.x].work = sums.y;
    accounts[group.x].isFrozen = u32(bodyStates[group.x].frozenAt != 0u);
  }
}
