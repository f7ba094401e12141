#import "newton/joint.wgsl"
#import "newton/linearise.wgsl"
#import "newton/free-motion.wgsl"

// Buffers of all kernels of the solver: eight, as many as WebGPU grants everywhere.

@group(0) @binding(0) var<storage, read> inputs: array<BodyInput>;
@group(0) @binding(1) var<storage, read_write> states: array<BodyState>;
@group(0) @binding(2) var<storage, read> blocks: array<Block>;
@group(0) @binding(3) var<storage, read> joints: array<JointFrames>;
@group(0) @binding(4) var<storage, read> rows: array<JointRow>;
// places of the bodies of each island, and the blocks of each body: see Island
@group(0) @binding(5) var<storage, read> lists: array<u32>;
// four numbers a block: of a contact the normal impulse and that of friction in world axes, of joints one for each row
@group(0) @binding(6) var<storage, read_write> impulses: array<f32>;

// Pose of a body some time into the frame; that of a kinematic one is not the pose of its state.
fn poseOf(place: u32, time: f32) -> BodyPose {
  let state = states[place];
  if (state.isKinematic == 0.0) { return BodyPose(state.position, state.low, state.rotation); }
  let x = moved(state.position, state.low, time * state.velocity);
  return BodyPose(x.position, x.low, turnQuaternion(state.rotation, time * state.spin));
}

fn setPosition(place: u32, x: PreciseVector) {
  states[place].position = x.position;
  states[place].low = x.low;
}

// Rows, responses and bias of a block, with bodies at the start of the step; `ambient` from bodies that nothing pushes.
fn setUpBlock(b: Block, time: f32, h: f32) {
  let poseA = poseOf(b.placeA, time);
  let poseB = poseOf(b.placeB, time);
  let stateA = states[b.placeA];
  let stateB = states[b.placeB];
  w.inverseMassA = select(stateA.inverseMass, 0.0, b.localA == NONE);
  w.inverseMassB = select(stateB.inverseMass, 0.0, b.localB == NONE);
  w.value = vec3f(0.0);
  w.share = vec3f(1.0);
  w.compliance = vec3f(0.0);
  w.goal = vec3f(0.0);
  w.lower = vec3f(0.0);
  w.upper = vec3f(0.0);
  if (b.kind == BLOCK_JOINT) {
    w.direction = mat3x3f();
    w.turnA = mat3x3f();
    w.turnB = mat3x3f();
    let j = joints[b.joint];
    let f = relativeFrame(j, poseA, poseB);
    for (var k = 0u; k < b.rowCount; k++) {
      let row = rows[b.firstRow + k];
      setUpRow(k, f, j, row);
      w.share[k] = row.share;
      w.compliance[k] = row.compliance;
      w.goal[k] = row.goal;
      w.lower[k] = row.lower;
      w.upper[k] = row.upper;
    }
  } else {
    setUpContact(b, poseA, poseB, h);
  }
  var inverseA = stateA.inverseInertia;
  var inverseB = stateB.inverseInertia;
  var u = Twists(Twist(stateA.velocity, stateA.spin), Twist(stateB.velocity, stateB.spin));
  if (b.localA == NONE) {
    inverseA = mat3x3f();
  } else {
    u.a = Twist();
  }
  if (b.localB == NONE) {
    inverseB = mat3x3f();
  } else {
    u.b = Twist();
  }
  w.ambient = speedOf(u);
  setResponse(inverseA, inverseB);
}

// J u of a contact's normal at the start of the step.
fn startSpeed(b: Block) -> f32 {
  let stateA = states[b.placeA];
  let stateB = states[b.placeB];
  return speedOf(Twists(Twist(stateA.velocity, stateA.spin), Twist(stateB.velocity, stateB.spin))).x;
}

fn softenBlock(b: Block) {
  if (b.kind != BLOCK_JOINT) { softenContact(); }
}

// C of joint rows for the poses as they are now.
fn updateValues(b: Block, time: f32) {
  if (b.kind != BLOCK_JOINT) { return; }
  let j = joints[b.joint];
  let f = relativeFrame(j, poseOf(b.placeA, time), poseOf(b.placeB, time));
  for (var k = 0u; k < b.rowCount; k++) { w.value[k] = rowValue(f, j, rows[b.firstRow + k]); }
}

// Impulses that the step starts from: those of the last frame, or, later in a frame, of the last step.
fn recallImpulse(b: Block, index: u32, isFirst: bool) {
  w.impulse = vec3f(0.0);
  if (step.warmStart == 0u && isFirst) { return; }
  let kept = step.newImpulses + 4u * index;
  if (b.kind == BLOCK_JOINT) {
    for (var k = 0u; k < b.rowCount; k++) {
      let previous = rows[b.firstRow + k].previous;
      if (!isFirst) {
        w.impulse[k] = impulses[kept + k];
      } else if (previous != NONE) {
        w.impulse[k] = impulses[step.oldImpulses + previous];
      }
    }
    return;
  }
  var source = kept;
  if (isFirst) {
    if (b.previous == NONE) { return; }
    source = step.oldImpulses + 4u * b.previous;
  }
  w.impulse = contactImpulse(impulses[source], vec3f(impulses[source + 1u], impulses[source + 2u], impulses[source + 3u]));
}

fn keepImpulse(b: Block, index: u32) {
  if (!isFinite3(w.impulse)) {
    // Of a body that broke: no start for the next step.
    w.impulse = vec3f(0.0);
  }
  let at = step.newImpulses + 4u * index;
  if (b.kind == BLOCK_JOINT) {
    for (var k = 0u; k < 3u; k++) { impulses[at + k] = w.impulse[k]; }
    return;
  }
  let friction = worldFriction(w.impulse);
  impulses[at] = w.impulse.x;
  for (var k = 0u; k < 3u; k++) { impulses[at + 1u + k] = friction[k]; }
}

// h² K of the forces that joints had in the last step: see geometric-stiffness.ts.
fn jointStiffness(rotation: vec4f, firstBlock: u32, firstIncidence: u32, endIncidence: u32, isFirst: bool) -> mat3x3f {
  var sum = mat3x3f();
  for (var i = firstIncidence; i < endIncidence; i++) {
    let entry = lists[i];
    let index = firstBlock + (entry >> 1u);
    let b = blocks[index];
    if (b.kind != BLOCK_JOINT) { continue; }
    let j = joints[b.joint];
    let side = entry & 1u;
    let turn = rotationMatrix(quaternionProduct(states[b.placeA].rotation, j.turnA));
    var force = vec3f(0.0);
    for (var k = 0u; k < b.rowCount; k++) {
      let row = rows[b.firstRow + k];
      var at = step.newImpulses + 4u * index + k;
      if (isFirst) {
        at = step.oldImpulses + row.previous;
        if (row.previous == NONE) { continue; }
      }
      if (row.load != 0.0) { force += turn[row.axis] * (row.load * impulses[at] / step.h); }
    }
    let arm = rotate(rotation, select(j.pivotA, j.pivotB, side == 1u));
    // Each block of a joint has its part of the force.
    let stiffness = geometricStiffness(arm, select(-force, force, side == 1u), step.h);
    sum += stiffness;
  }
  return sum;
}
