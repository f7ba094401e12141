#import "newton/free-motion.wgsl"
#import "newton/joint.wgsl"
#import "math/ncp.wgsl"

// Functions of the Newton solver for many inputs.

// a, p, r
@group(0) @binding(10) var<storage, read> gaps: array<vec4f>;
// of each function: isActive, step or compliance, residual, φ
@group(0) @binding(11) var<storage, read_write> normals: array<vec4f>;

fn packedRow(row: NormalRow) -> vec4f {
  return vec4f(f32(row.isActive), select(row.step, row.compliance, row.isActive), row.residual, row.phi);
}

@compute @workgroup_size(64)
fn normalRows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&gaps)) {
    return;
  }
  let g = gaps[id.x];
  normals[2u * id.x] = packedRow(minimumMap(g.x, g.y, g.z));
  normals[2u * id.x + 1u] = packedRow(fischerBurmeister(g.x, g.y, g.z));
}

// v, f, µ pₙ, r
@group(0) @binding(12) var<storage, read> slides: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> slips: array<vec2f>;

@compute @workgroup_size(64)
fn frictionRows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&slides)) {
    return;
  }
  let s = slides[id.x];
  slips[id.x] = vec2f(minimumMapSlip(s.x, s.y, s.z, s.w), fischerBurmeisterSlip(s.x, s.y, s.z, s.w));
}

@group(0) @binding(14) var<storage, read> inputs: array<BodyInput>;
@group(0) @binding(15) var<storage, read> states: array<BodyState>;
// gravity and h
@group(0) @binding(16) var<storage, read> fall: vec4f;
// ũ, δ and the orientation; then the inverse inertia
@group(0) @binding(17) var<storage, read_write> flights: array<vec4f>;

@compute @workgroup_size(64)
fn freeMotions(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&inputs)) {
    return;
  }
  let free = predict(inputs[id.x], states[id.x], mat3x3f(), fall.xyz, fall.w);
  let at = 7u * id.x;
  flights[at] = vec4f(free.velocity, 0.0);
  flights[at + 1u] = vec4f(free.spin, 0.0);
  flights[at + 2u] = vec4f(free.offset, 0.0);
  flights[at + 3u] = free.rotation;
  for (var k = 0u; k < 3u; k++) {
    flights[at + 4u + k] = vec4f(free.inverseInertia[k], 0.0);
  }
}

@group(0) @binding(18) var<storage, read> joints: array<JointFrames>;
@group(0) @binding(19) var<storage, read> rows: array<JointRow>;
// of each row
@group(0) @binding(20) var<storage, read> jointOf: array<u32>;
// position and rotation of A, then of B, for each joint
@group(0) @binding(21) var<storage, read> poses: array<vec4f>;
// d and C, α, β
@group(0) @binding(22) var<storage, read_write> found: array<vec4f>;

@compute @workgroup_size(64)
fn jointRows(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&rows)) {
    return;
  }
  let n = jointOf[id.x];
  let a = BodyPose(poses[4u * n].xyz, vec3f(0.0), poses[4u * n + 1u]);
  let b = BodyPose(poses[4u * n + 2u].xyz, vec3f(0.0), poses[4u * n + 3u]);
  let f = relativeFrame(joints[n], a, b);
  setUpRow(0u, f, joints[n], rows[id.x]);
  found[3u * id.x] = vec4f(w.direction[0], rowValue(f, joints[n], rows[id.x]));
  found[3u * id.x + 1u] = vec4f(w.turnA[0], 0.0);
  found[3u * id.x + 2u] = vec4f(w.turnB[0], 0.0);
}
