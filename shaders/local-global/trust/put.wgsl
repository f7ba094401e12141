#import "local-global/contact/layout.wgsl"
#import "local-global/layout.wgsl"
#import "local-global/step/cayley.wgsl"
#import "local-global/step/elements.wgsl"
#import "local-global/trust/layout.wgsl"

// Bodies of wrong clusters get a part of what the frame made of them, see hold.wgsl; their duals, which are of a state that they are not
// in, are those of before.

@group(0) @binding(4) var<storage, read> accounts: array<BodyAccount>;
// column and body
@group(0) @binding(5) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(6) var<storage, read> keptPositions: array<vec4f>;
@group(0) @binding(7) var<storage, read> madePositions: array<vec4f>;
@group(0) @binding(8) var<storage, read> madeVelocities: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> heldPositions: array<vec4f>;
@group(0) @binding(10) var<storage, read_write> velocity: array<vec4f>;
@group(0) @binding(11) var<storage, read> pins: array<vec4f>;
@group(0) @binding(12) var<storage, read> keptDuals: array<vec4f>;
@group(0) @binding(13) var<storage, read_write> duals: array<vec4f>;
@group(0) @binding(14) var<storage, read_write> keptContacts: array<SoftContact>;
@group(0) @binding(15) var<storage, read> control: ContactControl;
@group(1) @binding(2) var<uniform> contactStep: ContactStep;

@compute @workgroup_size(64)
fn putShares(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= contactStep.vertexCount) { return; }
  let own = accounts[vertices[i].y];
  if (own.verdict != VERDICT_WRONG) { return; }
  let part = select(own.share, 1.0, pins[i].w == HELD_EXACTLY);
  let origin = keptPositions[i].xyz;
  let arm = origin - own.origin - own.clusterMiddle;
  let turn = cayleyChange(contactStep.frameTime * own.clusterSpin) * arm;
  let rigid = own.clusterMean + cross(own.clusterSpin, arm + turn);
  let way = contactStep.frameTime * own.clusterMean + turn;
  // what is not finite has no part
  if (part == 0.0) {
    heldPositions[i] = vec4f(origin + way, 0.0);
    velocity[i] = vec4f(rigid, 0.0);
  } else {
    heldPositions[i] = vec4f(origin + mix(way, madePositions[i].xyz - origin, part), 0.0);
    velocity[i] = vec4f(mix(rigid, madeVelocities[i].xyz, part), 0.0);
  }
}

fn takeDuals(local: u32, dimension: u32) {
  if (accounts[elements[kind.firstElement + local].body].verdict == VERDICT_WRONG) {
    let at = kind.firstDual + local * dimension;
    for (var c = at; c < at + dimension; c++) { duals[c] = keptDuals[c]; }
  }
}

@compute @workgroup_size(64)
fn takeTetrahedronDuals(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { takeDuals(id.x, 3u); }
}

@compute @workgroup_size(64)
fn takeTriangleDuals(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < kind.elementCount) { takeDuals(id.x, 2u); }
}

// Contact forces of the last step are of no use to the next.
@compute @workgroup_size(64)
fn forgetForces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < min(control.keptCount, arrayLength(&keptContacts))) { keptContacts[id.x].z = vec3f(0.0); }
}
