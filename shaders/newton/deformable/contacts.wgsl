#import "newton/deformable/contact-set-up.wgsl"
#import "newton/deformable/lanes.wgsl"

// Passes over contacts: their rows, the matrix W = J A⁻¹ Jᵀ and the bias of the contact problem. Twin of what coupled-solver.ts does
// before and after it.

// Compliance of contacts as a part of how much the surface gives by itself: see coupled-solver.ts.
const NORMAL_GIVE = 1e-3;
const FRICTION_GIVE = 1e-2;
// Rows of a contact at the start of the step, with the impulses that it had.
@compute @workgroup_size(64)
fn setUpContacts(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c >= soft.contacts || contacts[c].place != NO_CONTACT) { return; }
  let contact = contacts[c];
  let time = soft.h * f32(soft.substep);
  let apart = pointApart(contact, contact.anchor, contact.anchorLow);
  placeContact(c, contact.normal, dot(contact.normal, apart - time * contact.speed), vec3f(0.0));
}

fn columnVector(at: u32, d: u32) -> vec3f {
  let i = at + 3u * d;
  return vec3f(columns[i], columns[i + 1u], columns[i + 2u]);
}

fn addToColumn(at: u32, d: u32, v: vec3f) {
  let i = at + 3u * d;
  columns[i] += v.x;
  columns[i + 1u] += v.y;
  columns[i + 2u] += v.z;
}

// L⁻¹ Jᵀ of the three rows of a contact, one workgroup each.
@compute @workgroup_size(SOFT_WIDTH)
fn writeColumns(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  if (sharedNumber(softControl.state, lane) != SOFT_GOES_ON) { return; }
  let contact = contacts[group.x];
  let body = softBodies[contact.body];
  let first = contact.firstNode;
  let end = body.firstNode + body.nodeCount;
  let base = 9u * contact.column;
  for (var i = lane; i < 9u * (end - first); i += SOFT_WIDTH) { columns[base + i] = 0.0; }
  storageBarrier();
  if (lane == 0u) {
    for (var k = 0u; k < 3u; k++) {
      let node = contact.nodes[k];
      if (contact.weights[k] != 0.0 && nodeStates[node].isHeld == 0u) {
        for (var d = 0u; d < 3u; d++) {
          addToColumn(base + 9u * (node - first), d, contact.weights[k] * contactWorks[group.x].directions[d]);
        }
      }
    }
  }
  storageBarrier();
  for (var j = first; j < end; j++) {
    let inverse = inversePivot(j);
    let at = base + 9u * (j - first);
    let y = mat3x3f(inverse * columnVector(at, 0u), inverse * columnVector(at, 1u), inverse * columnVector(at, 2u));
    let last = softNodes[j].lastRow;
    for (var i = j + 1u + lane; i <= last; i += SOFT_WIDTH) {
      if (softNodes[i].firstColumn <= j) {
        let l = entryBlock(entryOf(i, j));
        for (var d = 0u; d < 3u; d++) { addToColumn(base + 9u * (i - first), d, -(l * y[d])); }
      }
    }
    storageBarrier();
    // Nobody reads row j of the right-hand side any more.
    if (lane == 0u) {
      for (var d = 0u; d < 3u; d++) {
        for (var k = 0u; k < 3u; k++) { columns[at + 3u * d + k] = y[d][k]; }
      }
    }
  }
}

// W of two contacts of the same body; others do not know of each other.
@compute @workgroup_size(64)
fn coupleContacts(@builtin(global_invocation_id) id: vec3u) {
  let a = id.x / soft.contacts;
  let b = id.x % soft.contacts;
  if (a >= soft.contacts || b > a || softControl.state != SOFT_GOES_ON) { return; }
  var sum = mat3x3f();
  let x = contacts[a];
  let y = contacts[b];
  if (x.body == y.body) {
    let body = softBodies[x.body];
    let end = body.firstNode + body.nodeCount;
    for (var i = max(x.firstNode, y.firstNode); i < end; i++) {
      let at = 9u * (x.column + i - x.firstNode);
      let bt = 9u * (y.column + i - y.firstNode);
      let mine = mat3x3f(columnVector(at, 0u), columnVector(at, 1u), columnVector(at, 2u));
      for (var d = 0u; d < 3u; d++) { sum[d] += columnVector(bt, d) * mine; }
    }
  }
  for (var k = 0u; k < 3u; k++) {
    for (var d = 0u; d < 3u; d++) {
      let value = sum[d][k];
      delassus[(3u * a + k) * soft.size + 3u * b + d] = value;
      delassus[(3u * b + d) * soft.size + 3u * a + k] = value;
    }
  }
}

// Velocities of the rows at p = 0, with gaps.
@compute @workgroup_size(64)
fn writeBias(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c >= soft.contacts || softControl.state != SOFT_GOES_ON) { return; }
  let contact = contacts[c];
  let work = contactWorks[c];
  var v = -contact.speed;
  for (var k = 0u; k < 3u; k++) { v += contact.weights[k] * nodeStates[contact.nodes[k]].linear; }
  var bias = v * work.directions;
  bias.x += gapSpeed(work.gap);
  for (var d = 0u; d < 3u; d++) {
    let i = 3u * c + d;
    delassus[i * soft.size + i] *= 1.0 + select(FRICTION_GIVE, NORMAL_GIVE, d == 0u);
    if (d == 0u) {
      // The normal gives by the change from the last iterate only.
      bias.x -= NORMAL_GIVE / (1.0 + NORMAL_GIVE) * delassus[i * soft.size + i] * contactRows[i].impulse;
    } else {
      // Friction gives by the change of its impulse over the step only.
      let give = FRICTION_GIVE / (1.0 + FRICTION_GIVE) * delassus[i * soft.size + i];
      bias[d] -= give * work.anchor[d - 1u];
    }
    contactRows[i].bias = bias[d];
  }
}

// Jᵀ p and L⁻¹ Jᵀ p of each node.
@compute @workgroup_size(64)
fn pushNodes(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= soft.nodes || softControl.state != SOFT_GOES_ON) { return; }
  var push = vec3f(0.0);
  if (nodeStates[i].isHeld == 0u) {
    for (var n = nodeContacts[i]; n < nodeContacts[i + 1u]; n++) {
      let c = nodeContacts[n] >> 2u;
      push += contacts[c].weights[nodeContacts[n] & 3u] * (contactWorks[c].directions * contactImpulse(c));
    }
  }
  nodeStates[i].push = push;
  var right = vec3f(0.0);
  for (var c = 0u; c < soft.contacts; c++) {
    let first = contacts[c].firstNode;
    if (contacts[c].body == softNodes[i].body && first <= i) {
      let at = 9u * (contacts[c].column + i - first);
      let p = contactImpulse(c);
      right += columnVector(at, 0u) * p.x + columnVector(at, 1u) * p.y + columnVector(at, 2u) * p.z;
    }
  }
  nodeStates[i].right = right;
}

fn contactImpulse(c: u32) -> vec3f {
  return vec3f(contactRows[3u * c].impulse, contactRows[3u * c + 1u].impulse, contactRows[3u * c + 2u].impulse);
}

@compute @workgroup_size(64)
fn keepImpulses(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c < soft.contacts) {
    softImpulses[soft.newImpulses + c] = vec4f(contactWorks[c].directions * contactImpulse(c), 0.0);
  }
}
