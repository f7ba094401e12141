#import "newton/precise.wgsl"
#import "newton/deformable/model.wgsl"
#import "newton/deformable/lanes.wgsl"

// Passes over the nodes of bodies: from the free motion through the iterates to the end of the step.

// three vectors a particle, in the order of the models: position, what it has no room for, velocity; the last w is 1 where the
// body is frozen
@group(0) @binding(29) var<storage, read_write> outputs: array<vec4f>;

// ũ, and the first iterate: the velocity at the start, or zero (67).
@compute @workgroup_size(64)
fn predictNodes(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= soft.nodes) { return; }
  let node = softNodes[i];
  let body = softBodies[node.body];
  var s = nodeStates[i];
  let isFrozen = bodyControls[node.body].isFrozen == 1u;
  s.isHeld = u32(isFrozen || node.isFixed == 1u);
  let way = (node.goal - s.position) + (node.goalLow - s.low);
  if (isFrozen) {
    s.free = vec3f(0.0);
    s.u = s.free;
  } else if (node.isFixed == 1u) {
    s.free = way / soft.timeLeft;
    s.u = s.free;
  } else {
    s.free = s.velocity / (1.0 + soft.h * body.damping) + soft.h * body.gravityFactor * soft.gravity;
    if (node.spring > 0.0) { s.free = (node.mass * s.free + soft.h * node.spring * way) / inertiaOf(i); }
    s.u = select(vec3f(0.0), s.velocity, soft.warmStart == 1u);
  }
  s.push = vec3f(0.0);
  s.change = vec3f(0.0);
  s.kept = s.u;
  nodeStates[i] = s;
}

// One invocation: the step begins.
@compute @workgroup_size(1)
fn beginStep() {
  for (var b = 0u; b < soft.bodies; b++) {
    let isFrozen = bodyControls[b].isFrozen;
    bodyControls[b] = FemBodyControl();
    bodyControls[b].isFrozen = isFrozen;
  }
  softControl = FemControl();
}

// g at the iterate, one workgroup a body. A step that went so far that the potential rises steeply where it ends is halved.
@compute @workgroup_size(SOFT_WIDTH)
fn balanceBodies(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  if (sharedNumber(softControl.state, lane) == SOFT_SOLVED) { return; }
  let body = softBodies[group.x];
  let end = body.firstNode + body.nodeCount;
  var slope = 0.0;
  for (var i = body.firstNode + lane; i < end; i += SOFT_WIDTH) {
    var g = vec3f(0.0);
    if (nodeStates[i].isHeld == 0u) {
      for (var n = nodeCorners[i]; n < nodeCorners[i + 1u]; n++) {
        let corner = nodeCorners[n];
        g += elementWorks[corner >> 2u].force[corner & 3u];
      }
      g += inertiaOf(i) * (nodeStates[i].u - nodeStates[i].free);
    }
    nodeStates[i].imbalance = g;
    nodeStates[i].right = g;
    slope += dot(nodeStates[i].change, g - nodeStates[i].push);
  }
  let total = workgroupSum(vec2f(slope, 0.0), lane).x;
  let control = bodyControls[group.x];
  // NaN is too steep.
  let isTooFar = control.size > SMALL_CHANGE && !(total <= -SLOPE_LEFT * control.slope) && control.halvings < MOST_HALVINGS;
  // All have read what lane 0 is going to change.
  storageBarrier();
  // The last try leaves the body where it was: an uphill step would go on without end.
  let part = select(0.5 * control.part, 0.0, control.halvings + 1u == MOST_HALVINGS);
  if (isTooFar && soft.safeguard == 1u) {
    for (var i = body.firstNode + lane; i < end; i += SOFT_WIDTH) {
      nodeStates[i].u = nodeStates[i].kept + part * nodeStates[i].change;
    }
  }
  if (lane == 0u) {
    bodyControls[group.x].isSearching = u32(isTooFar && soft.safeguard == 1u);
    bodyControls[group.x].isFailed = 0u;
    if (isTooFar) {
      bodyControls[group.x].part = part;
      bodyControls[group.x].halvings = control.halvings + 1u;
    }
  }
}

// One invocation, after `balanceBodies`.
@compute @workgroup_size(1)
fn decideBalance() {
  if (softControl.state == SOFT_SOLVED) { return; }
  softControl.state = SOFT_GOES_ON;
  for (var b = 0u; b < soft.bodies; b++) {
    if (bodyControls[b].isSearching == 1u) { softControl.state = SOFT_SEARCHES; }
  }
}

// One invocation, after the factors: without the negative parts of the elements where they were too many.
@compute @workgroup_size(1)
fn decideFactor() {
  if (softControl.state != SOFT_GOES_ON) { return; }
  for (var b = 0u; b < soft.bodies; b++) {
    if (bodyControls[b].isFailed == 1u && bodyControls[b].isProjected == 0u) {
      bodyControls[b].isProjected = 1u;
      softControl.state = SOFT_REPEATS;
    }
  }
}

// From u to û + A⁻¹ Jᵀ p, one workgroup a body; `right` holds L⁻¹ Jᵀ p.
@compute @workgroup_size(SOFT_WIDTH)
fn updateBodies(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  if (sharedNumber(softControl.state, lane) != SOFT_GOES_ON) { return; }
  let body = softBodies[group.x];
  solveBackward(body, lane);
  var sums = vec2f(0.0);
  for (var i = body.firstNode + lane; i < body.firstNode + body.nodeCount; i += SOFT_WIDTH) {
    let s = nodeStates[i];
    var change = vec3f(0.0);
    if (s.isHeld == 0u) { change = (s.linear - s.u) + s.solution; }
    nodeStates[i].kept = s.u;
    nodeStates[i].change = change;
    nodeStates[i].u = s.u + change;
    sums += vec2f(softNodes[i].mass * dot(change, change), dot(change, s.imbalance - s.push));
  }
  let total = workgroupSum(sums, lane);
  if (lane == 0u) {
    bodyControls[group.x].size = sqrt(total.x / body.mass);
    bodyControls[group.x].slope = total.y;
    bodyControls[group.x].part = 1.0;
    bodyControls[group.x].halvings = 0u;
  }
}

// One invocation, at the end of an iteration.
@compute @workgroup_size(1)
fn decideEnd() {
  if (softControl.state != SOFT_GOES_ON) { return; }
  noteChange(0.0);
}

// The iterate becomes the state, one workgroup a body.
@compute @workgroup_size(SOFT_WIDTH)
fn finishBodies(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  let body = softBodies[group.x];
  let end = body.firstNode + body.nodeCount;
  var broken = 0.0;
  for (var i = body.firstNode + lane; i < end; i += SOFT_WIDTH) {
    let s = nodeStates[i];
    let x = moved(s.position, s.low, soft.h * s.u);
    if (!(isFinite3(s.u) && isFinite3(x.position))) { broken = 1.0; }
  }
  let isBroken = workgroupSum(vec2f(broken, 0.0), lane).x > 0.0;
  let isFrozen = isBroken || bodyControls[group.x].isFrozen == 1u;
  storageBarrier();
  if (lane == 0u && isBroken) { bodyControls[group.x].isFrozen = 1u; }
  for (var i = body.firstNode + lane; i < end; i += SOFT_WIDTH) {
    let s = nodeStates[i];
    var x = moved(s.position, s.low, soft.h * s.u);
    var u = s.u;
    if (isFrozen) {
      x = PreciseVector(s.position, s.low);
      u = vec3f(0.0);
    }
    nodeStates[i].position = x.position;
    nodeStates[i].low = x.low;
    nodeStates[i].velocity = u;
    let p = softNodes[i].particle;
    outputs[p] = vec4f(x.position, 0.0);
    outputs[soft.nodes + p] = vec4f(x.low, 0.0);
    outputs[2u * soft.nodes + p] = vec4f(u, f32(isFrozen));
  }
}
