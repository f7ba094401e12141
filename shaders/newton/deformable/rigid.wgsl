#import "newton/large/large.wgsl"
#import "newton/deformable/contact-set-up.wgsl"

// Rigid bodies in one system with the deformable ones that they touch: what their contacts and joints add to the contact problem,
// and what its impulses do to them. The blocks of the system are the contacts of deformable bodies, in their order, then those
// between rigid bodies and of joints; three rows each. Twin of coupled-rows.ts and of the rigid part of coupled-solver.ts.

// Compliance of rows of joints, as a part of their mobility: a loop of hinges has more rows than it can move, and what rounding makes
// them contradict each other by would have no solution. A joint that carries a load opens by a micrometre at most.
const JOINT_GIVE = 3e-5;

// Contacts with rigid bodies, where these are at the start of the step.
@compute @workgroup_size(64)
fn setUpRigidContacts(@builtin(global_invocation_id) id: vec3u) {
  let c = id.x;
  if (c >= soft.contacts || contacts[c].place == NO_CONTACT) { return; }
  let contact = contacts[c];
  let pose = poseOf(contact.place, step.h * f32(step.substep));
  let normal = rotate(pose.rotation, contact.normal);
  let arm = rotate(pose.rotation, contact.anchor);
  let apart = pointApart(contact, pose.position, pose.low) - arm;
  placeContact(c, normal, dot(normal, apart), arm);
}

// J of the contacts of deformable bodies on rigid ones, and the rows of the other blocks; after `setUpBlocks`.
@compute @workgroup_size(64)
fn setUpCoupledBlocks(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS)) { return; }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  if (k < soft.contacts) {
    w = Work();
    if (b.localA != NONE) {
      w.direction = contactWorks[k].directions;
      w.inverseMassA = states[b.placeA].inverseMass;
      setArms(contactWorks[k].arm, vec3f(0.0));
      w.turnB = mat3x3f();
      setResponse(states[b.placeA].inverseInertia, mat3x3f());
    }
    works[k] = w;
    return;
  }
  w = works[k];
  for (var d = 0u; d < 3u; d++) {
    var row: FemContactRow;
    row.impulse = w.impulse[d];
    row.kind = d;
    row.friction = b.friction;
    if (b.kind == BLOCK_JOINT) {
      row.kind = select(ROW_ABSENT, ROW_JOINT, d < b.rowCount);
      row.compliance = w.compliance[d] + JOINT_GIVE * w.diagonal[d];
      row.lower = w.lower[d];
      row.upper = w.upper[d];
    }
    contactRows[3u * k + d] = row;
  }
}

// ũ stays until the end of the step.
@compute @workgroup_size(64)
fn keepFreeMotion(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES)) {
    bodyWorks[id.x].keptVelocity = bodyWorks[id.x].velocity;
    bodyWorks[id.x].keptSpin = bodyWorks[id.x].spin;
  }
}

// J M⁻¹ Jᵀ of one side each of two blocks that act on the same body; [j][i] of rows i of the first and j of the second.
fn coupledBy(a: mat3x3f, turnA: mat3x3f, b: mat3x3f, inverseMass: f32, responseB: mat3x3f) -> mat3x3f {
  return transpose(a) * (inverseMass * b) + transpose(turnA) * responseB;
}

// W of the rigid bodies, one invocation for two blocks.
@compute @workgroup_size(64)
fn coupleBlocks(@builtin(global_invocation_id) id: vec3u) {
  let count = head(ISLAND_BLOCKS);
  let a = id.x / count;
  let b = id.x % count;
  if (a >= count || b > a || softControl.state != SOFT_GOES_ON) { return; }
  let first = head(ISLAND_FIRST_BLOCK);
  let localA = blocks[first + a].localA;
  let localB = blocks[first + a].localB;
  let otherA = blocks[first + b].localA;
  let otherB = blocks[first + b].localB;
  var sum = mat3x3f();
  if (localA != NONE && localA == otherA) {
    sum += coupledBy(works[a].direction, works[a].turnA, works[b].direction, works[b].inverseMassA, works[b].responseA);
  }
  if (localA != NONE && localA == otherB) {
    sum += coupledBy(works[a].direction, works[a].turnA, works[b].direction, -works[b].inverseMassB, works[b].responseB);
  }
  if (localB != NONE && localB == otherA) {
    sum += coupledBy(works[a].direction, works[a].turnB, works[b].direction, -works[b].inverseMassA, works[b].responseA);
  }
  if (localB != NONE && localB == otherB) {
    sum += coupledBy(works[a].direction, works[a].turnB, works[b].direction, works[b].inverseMassB, works[b].responseB);
  }
  let isSoft = a < soft.contacts;
  for (var k = 0u; k < 3u; k++) {
    for (var d = 0u; d < 3u; d++) {
      let at = (3u * a + k) * soft.size + 3u * b + d;
      var value = sum[d][k];
      if (isSoft) {
        value += delassus[at];
      } else if (a == b && k == d && blocks[first + a].kind != BLOCK_JOINT) {
        value += works[a].compliance[k];
      }
      if (a == b && d > k) {
        // the other half comes from here as well
        continue;
      }
      delassus[at] = value;
      delassus[(3u * b + d) * soft.size + 3u * a + k] = value;
    }
  }
}

fn freeTwists(b: Block) -> Twists {
  var u: Twists;
  if (b.localA != NONE) { u.a = Twist(bodyWorks[b.localA].keptVelocity, bodyWorks[b.localA].keptSpin); }
  if (b.localB != NONE) { u.b = Twist(bodyWorks[b.localB].keptVelocity, bodyWorks[b.localB].keptSpin); }
  return u;
}

// Velocities of the rows at p = 0 as far as they are those of rigid bodies, after `writeBias`.
@compute @workgroup_size(64)
fn writeRigidBias(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || softControl.state != SOFT_GOES_ON) { return; }
  let b = blocks[head(ISLAND_FIRST_BLOCK) + k];
  w = works[k];
  let speed = speedOf(freeTwists(b)) + w.ambient;
  if (k < soft.contacts) {
    for (var d = 0u; d < 3u; d++) { contactRows[3u * k + d].bias += speed[d]; }
    return;
  }
  var bias = speed;
  if (b.kind == BLOCK_JOINT) {
    // C(q⁺)/h about the iterate; at first about the start of the step, where its velocity counts as zero
    var away = speedOf(blockTwists(b)) + w.ambient;
    if (softControl.iterations == 0u) { away = vec3f(0.0); }
    bias += w.share * (w.value / step.h - away) - w.goal;
  } else if (w.bounces > 0.0) {
    bias.x += w.bias;
  } else {
    bias.x += gapSpeed(w.gap);
  }
  for (var d = 0u; d < 3u; d++) { contactRows[3u * k + d].bias = bias[d]; }
}

// Impulses go to where bodies gather them.
@compute @workgroup_size(64)
fn spreadImpulses(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= head(ISLAND_BLOCKS) || softControl.state != SOFT_GOES_ON) { return; }
  let i = 3u * k;
  let p = vec3f(contactRows[i].impulse, contactRows[i + 1u].impulse, contactRows[i + 2u].impulse);
  works[k].impulse = p;
  works[k].q = p;
}

// u = ũ + M⁻¹ Jᵀ p, and poses, which joints see.
@compute @workgroup_size(64)
fn stepCoupledBodies(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= head(ISLAND_BODIES) || softControl.state != SOFT_GOES_ON) { return; }
  gather(i);
  let velocity = bodyWorks[i].keptVelocity + bodyWorks[i].response;
  let change = abs(velocity - bodyWorks[i].velocity);
  bodyWorks[i].change = max(change.x, max(change.y, change.z));
  bodyWorks[i].velocity = velocity;
  bodyWorks[i].spin = bodyWorks[i].keptSpin + bodyWorks[i].spinResponse;
  placeBody(i);
}

// One invocation, in place of `decideEnd`.
@compute @workgroup_size(1)
fn decideCoupledEnd() {
  if (softControl.state != SOFT_GOES_ON) { return; }
  var change = 0.0;
  for (var i = 0u; i < head(ISLAND_BODIES); i++) { change = max(change, bodyWorks[i].change); }
  noteChange(change);
}
