#import "newton/large/large.wgsl"

// Passes over the bodies of large islands: from the free motion to the poses and velocities at the end of the step.

// u = ũ, and what else the step needs of a body.
@compute @workgroup_size(LARGE_WIDTH)
fn predictBodies(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  let bodies = head(ISLAND_BODIES);
  if (i >= bodies) { return; }
  let places = head(ISLAND_PLACES);
  let place = lists[places + i];
  let body = inputs[place];
  let state = states[place];
  var stiffness = mat3x3f();
  if (head(ISLAND_ROWS) > 0u) {
    let first = lists[places + bodies + i];
    let end = lists[places + bodies + i + 1u];
    stiffness = jointStiffness(state.rotation, head(ISLAND_FIRST_BLOCK), first, end, step.substep == 0u);
  }
  let free = predict(body, state, stiffness, step.gravity, step.h);
  states[place].inverseInertia = free.inverseInertia;
  var b: BodyWork;
  b.velocity = free.velocity;
  b.spin = free.spin;
  b.isStiffened = free.isStiffened;
  b.place = place;
  b.offset = free.offset;
  b.freeRotation = free.rotation;
  b.startPosition = state.position;
  b.startLow = state.low;
  b.startRotation = state.rotation;
  bodyWorks[i] = b;
}

// of the linear problem
@compute @workgroup_size(LARGE_WIDTH)
fn respondBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES) && control.state == NEWTON_GOES_ON) { gather(id.x); }
}

// u += M⁻¹ Jᵀ q, at the start and in the end
@compute @workgroup_size(LARGE_WIDTH)
fn followBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES)) {
    gather(id.x);
    bodyWorks[id.x].velocity += bodyWorks[id.x].response;
    bodyWorks[id.x].spin += bodyWorks[id.x].spinResponse;
  }
}

// The same for a Newton step; poses of bodies with joints go along.
@compute @workgroup_size(LARGE_WIDTH)
fn stepBodies(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= head(ISLAND_BODIES) || control.state != NEWTON_GOES_ON) { return; }
  gather(i);
  bodyWorks[i].keptVelocity = bodyWorks[i].velocity;
  bodyWorks[i].keptSpin = bodyWorks[i].spin;
  bodyWorks[i].velocity += bodyWorks[i].response;
  bodyWorks[i].spin += bodyWorks[i].spinResponse;
  if (head(ISLAND_ROWS) > 0u) { placeBody(i); }
}

@compute @workgroup_size(LARGE_WIDTH)
fn restoreBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < head(ISLAND_BODIES) && control.isRestored == 1u) {
    bodyWorks[id.x].velocity = bodyWorks[id.x].keptVelocity;
    bodyWorks[id.x].spin = bodyWorks[id.x].keptSpin;
  }
}

// Poses at the end of the step: a body goes no further than its greatest speed lets it.
@compute @workgroup_size(LARGE_WIDTH)
fn placeBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= head(ISLAND_BODIES)) { return; }
  placeBody(id.x);
  let b = bodyWorks[id.x];
  let way = step.h * limited(b.velocity, inputs[b.place].maxSpeed);
  setPosition(b.place, moved(b.startPosition, b.startLow, way));
}

@compute @workgroup_size(LARGE_WIDTH)
fn finishBodies(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= head(ISLAND_BODIES)) { return; }
  let b = bodyWorks[id.x];
  let body = inputs[b.place];
  let end = states[b.place];
  var spin = b.spin;
  if (b.isStiffened == 0.0) { spin = keptSpin(body, b.freeRotation, end.rotation, b.velocity, b.spin); }
  if (isFinite3(b.velocity) && isFinite3(b.spin) && isFinite3(end.position)) {
    states[b.place].velocity = limited(b.velocity, body.maxSpeed);
    states[b.place].spin = limited(spin, body.maxSpin);
  } else {
    setPosition(b.place, PreciseVector(b.startPosition, b.startLow));
    states[b.place].rotation = b.startRotation;
    states[b.place].velocity = vec3f(0.0);
    states[b.place].spin = vec3f(0.0);
    states[b.place].broken = 1.0;
  }
}
