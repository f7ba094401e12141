#import "local-global/layout.wgsl"
#import "local-global/global/sum.wgsl"

// The angular momentum of a body that nothing touches or holds: twin of momentum.ts, with its symbols. After `finish` of motion.wgsl.

@group(0) @binding(0) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(1) var<storage, read> bodyStates: array<LocalGlobalBodyState>;
// q
@group(0) @binding(2) var<storage, read> start: array<vec4f>;
// q̃ − q⁻ and mass
@group(0) @binding(3) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> velocity: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

const LEAST_INERTIA = 1e-5;
// [rad] in a step
const LEAST_TURN = 1e-3;

var<workgroup> middle: vec3f;
var<workgroup> meanVelocity: vec3f;
var<workgroup> meanPredicted: vec3f;
var<workgroup> omega: vec3f;

@compute @workgroup_size(SUM_WIDTH)
fn keepAngularMomentum(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let body = bodies[group.x];
  let first = body.firstVertex;
  // from the first vertex, so that no digits go to where the body is and how fast it moves
  let origin = start[first].xyz;
  let drift = velocity[first].xyz;
  var sums = mat4x3f();
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = first + k;
    let m = predicted[i].w;
    sums[0] += m * (start[i].xyz - origin);
    sums[1] += m * (velocity[i].xyz - drift);
    sums[2] += m * (predicted[i].xyz / step.h - drift);
    sums[3].x += m;
  }
  for (var c = 0u; c < 4u; c++) {
    sums[c] = workgroupSum(sums[c], lane);
    workgroupBarrier();
  }
  if (lane == 0u) {
    middle = sums[0] / sums[3].x;
    meanVelocity = sums[1] / sums[3].x;
    meanPredicted = sums[2] / sums[3].x;
  }
  workgroupBarrier();
  var whole = vec3f(0.0);
  var missing = vec3f(0.0);
  var diagonal = vec3f(0.0);
  // yz, xz, xy
  var products = vec3f(0.0);
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = first + k;
    let m = predicted[i].w;
    let arm = start[i].xyz - origin - middle;
    let v = velocity[i].xyz - drift - meanVelocity;
    let given = m * cross(arm - step.h * v, predicted[i].xyz / step.h - drift - meanPredicted);
    whole += given;
    missing += given - m * cross(arm, v);
    diagonal += m * (vec3f(dot(arm, arm)) - arm * arm);
    products -= m * arm.yxx * arm.zzy;
  }
  whole = workgroupSum(whole, lane);
  workgroupBarrier();
  missing = workgroupSum(missing, lane);
  workgroupBarrier();
  diagonal = workgroupSum(diagonal, lane);
  workgroupBarrier();
  products = workgroupSum(products, lane);
  if (lane == 0u) {
    let d = diagonal;
    let o = products;
    let x = vec3f(d.y * d.z - o.x * o.x, o.y * o.x - o.z * d.z, o.z * o.x - o.y * d.y);
    let y = vec3f(x.y, d.x * d.z - o.y * o.y, o.z * o.y - d.x * o.x);
    let z = vec3f(x.z, y.z, d.x * d.y - o.z * o.z);
    let determinant = d.x * x.x + o.z * x.y + o.y * x.z;
    let state = bodyStates[group.x];
    let isFree = body.pinCount == 0u && state.isTouched == 0u && state.frozenAt == 0u && state.isHalted == 0u;
    // a line has no inertia about itself
    let isKept = isFree && determinant > LEAST_INERTIA * d.x * d.y * d.z;
    let inverse = mat3x3f(x, y, z);
    let turns = step.h * length(inverse * whole) > LEAST_TURN * determinant;
    omega = select(vec3f(0.0), (inverse * missing) / determinant, isKept && turns);
  }
  workgroupBarrier();
  if (all(omega == vec3f(0.0))) { return; }
  for (var k = lane; k < body.vertexCount; k += SUM_WIDTH) {
    let i = first + k;
    velocity[i] += vec4f(cross(omega, start[i].xyz - origin - middle), 0.0);
  }
}
