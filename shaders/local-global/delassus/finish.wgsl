#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"
#import "local-global/delassus/entry.wgsl"
#import "collision/proxies.wgsl"

// Parts of W beside G, once the rotations of the bodies are known: after the first local step of a step.

@group(0) @binding(0) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(1) var<storage, read_write> works: array<SoftContactWork>;
@group(0) @binding(2) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(3) var<storage, read_write> nodes: array<ContactNode>;
@group(0) @binding(4) var<storage, read> delassus: array<f32>;
@group(0) @binding(5) var<storage, read> control: ContactControl;
@group(0) @binding(6) var<storage, read_write> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(7) var<storage, read> arms: array<vec4f>;
@group(0) @binding(8) var<storage, read> displacement: array<vec4f>;
// d when the iterations of the step began
@group(0) @binding(10) var<storage, read> origins: array<vec4f>;
// see contact/incidence.wgsl
@group(0) @binding(11) var<storage, read> incidence: array<u32>;
// q̃ − q⁻ and mass
@group(0) @binding(9) var<storage, read> predicted: array<vec4f>;
@group(0) @binding(12) var<storage, read> contactColumns: array<ContactColumn>;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

@compute @workgroup_size(64)
fn takeTurns(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < contactStep.bodyCount) {
    nodes[id.x].turn = bodyStates[id.x].turn;
    bodyStates[id.x].isTouched |= u32(nodes[id.x].count > 0u);
  }
}

@compute @workgroup_size(64)
fn takeArms(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < control.touched) {
    let v = touched[id.x].vertex;
    touched[id.x].arms = arms[v].xyz;
    touched[id.x].origin = origins[v].xyz;
  }
}

// Hᵀ z of what contacts begin with, for the first lag of a later pass.
@compute @workgroup_size(64)
fn recallForces(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= control.touched) { return; }
  var sum = vec3f(0.0);
  for (var e = touched[id.x].firstIncidence; e < touched[id.x].endIncidence; e++) {
    let n = incidence[e] >> 2u;
    var z = contacts[n].z;
    // a segment has the force of its cable
    for (var head = n; contacts[head].kind == KIND_SEGMENT;) {
      head--;
      z = contacts[head].z;
    }
    sum += contacts[n].weights[incidence[e] & 3u] * outOfFrame(contacts[n], z);
  }
  touched[id.x].force = sum;
}

// W_jj and r (28), or with M⁻¹ in place of A⁻¹.
@compute @workgroup_size(64)
fn findDiagonals(@builtin(global_invocation_id) id: vec3u) {
  let n = id.x;
  if (n >= control.count) { return; }
  if (contacts[n].kind != KIND_CONTACT) {
    works[n].diagonal = vec3f(cableDiagonal(n), 0.0, 0.0);
    works[n].scale = works[n].diagonal;
    return;
  }
  var soft = 0.0;
  var massInverse = 0.0;
  var turning = vec3f(0.0);
  for (var i = 0u; i < 4u; i++) {
    let slot = contacts[n].slots[i];
    if (slot == NO_SLOT) { continue; }
    let weight = contacts[n].weights[i];
    let body = touched[slot].body;
    soft += weight * weight * touched[slot].diagonal;
    massInverse += weight * weight / predicted[touched[slot].vertex].w;
    // each body once, at its first vertex
    var isKnown = false;
    for (var j = 0u; j < i; j++) {
      let other = contacts[n].slots[j];
      if (other != NO_SLOT && touched[other].body == body) {
        isKnown = true;
        soft += 2.0 * weight * contacts[n].weights[j] * entryOf(slot, other);
      }
    }
    if (!isKnown) { turning += turnDiagonal(n, i, body); }
  }
  let diagonal = vec3f(soft) + turning + rigidDiagonal(n);
  works[n].diagonal = diagonal;
  works[n].scale = select(diagonal, vec3f(massInverse), contactStep.usesMass == 1u);
}

// h N T (h N)ᵀ for the three rows h of a contact.
fn turnDiagonal(n: u32, first: u32, body: u32) -> vec3f {
  var arm = mat3x3f();
  for (var i = first; i < 4u; i++) {
    let slot = contacts[n].slots[i];
    if (slot != NO_SLOT && touched[slot].body == body) {
      let weight = contacts[n].weights[i];
      arm[0] += weight * cross(touched[slot].arms, contacts[n].normal);
      arm[1] += weight * cross(touched[slot].arms, contacts[n].tangent);
      arm[2] += weight * cross(touched[slot].arms, secondTangent(contacts[n]));
    }
  }
  let turned = nodes[body].turn * arm;
  return vec3f(dot(arm[0], turned[0]), dot(arm[1], turned[1]), dot(arm[2], turned[2]));
}

// g A⁻¹ gᵀ of a cable with the rotations of its bodies: over all pairs of the ends of its segments.
fn cableDiagonal(n: u32) -> f32 {
  let ends = 4u * contacts[n].segments;
  var sum = 0.0;
  for (var a = 0u; a < ends; a++) {
    for (var b = 0u; b < ends; b++) { sum += endEntry(n + a / 4u, a % 4u, n + b / 4u, b % 4u); }
  }
  return sum;
}

fn endEntry(n: u32, i: u32, m: u32, j: u32) -> f32 {
  let one = contacts[n].slots[i];
  let other = contacts[m].slots[j];
  if (one == NO_SLOT || other == NO_SLOT) { return 0.0; }
  let body = touched[one].body;
  if (body != touched[other].body) { return 0.0; }
  let weight = contacts[n].weights[i] * contacts[m].weights[j];
  let along = weight * dot(contacts[n].normal, contacts[m].normal);
  let turned = nodes[body].turn * cross(touched[other].arms, contacts[m].normal);
  let turning = weight * dot(cross(touched[one].arms, contacts[n].normal), turned);
  return along * entryOf(one, other) + turning;
}

// Of G, whether that is stored or not.
fn entryOf(one: u32, other: u32) -> f32 {
  if (one == other) { return touched[one].diagonal; }
  let body = touched[one].body;
  if (nodes[body].entries == NO_SLOT) { return entryBetween(one, other); }
  return delassus[nodes[body].entries + (one - nodes[body].first) * nodes[body].count + other - nodes[body].first];
}

fn rigidDiagonal(n: u32) -> vec3f {
  let proxy = contacts[n].proxy;
  if (proxy == 0u) { return vec3f(0.0); }
  let k = contactStep.bodyCount + proxy - 1u;
  let r = contacts[n].point - nodes[k].centre;
  let arm = mat3x3f(
    cross(r, contacts[n].normal), cross(r, contacts[n].tangent), cross(r, secondTangent(contacts[n])),
  );
  let turned = nodes[k].turn * arm;
  let support = nodes[k].support;
  let held = vec3f(
    dot(support, contacts[n].normal), dot(support, contacts[n].tangent), dot(support, secondTangent(contacts[n])),
  );
  let basis = mat3x3f(contacts[n].normal, contacts[n].tangent, secondTangent(contacts[n]));
  let stuck = nodes[k].blocked * basis;
  let blocked = vec3f(dot(basis[0], stuck[0]), dot(basis[1], stuck[1]), dot(basis[2], stuck[2]));
  return nodes[k].inverseMass * (1.0 - held * held - blocked) + vec3f(dot(arm[0], turned[0]), dot(arm[1], turned[1]), dot(arm[2], turned[2]));
}

const LAG_LANES = 64u;
var<workgroup> lags: array<vec3f, LAG_LANES>;

// Torque of the contact forces of the last iteration by acting at q and not at the start of the iterations; a workgroup a body.
@compute @workgroup_size(LAG_LANES)
fn addLags(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = vec3f(0.0);
  let end = nodes[group.x].first + nodes[group.x].count;
  for (var i = nodes[group.x].first + lane; i < end; i += LAG_LANES) {
    sum += cross(displacement[touched[i].vertex].xyz - touched[i].origin, touched[i].force);
  }
  lags[lane] = sum;
  workgroupBarrier();
  for (var half = LAG_LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) { lags[lane] += lags[lane + half]; }
    workgroupBarrier();
  }
  if (lane == 0u) { bodyStates[group.x].lag = lags[0]; }
}
