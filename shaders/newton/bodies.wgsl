#import "newton/free-motion.wgsl"

// Before the islands are solved: what the host changed; and the flight of bodies that nothing touches in this frame.

@group(0) @binding(0) var<storage, read> inputs: array<BodyInput>;
@group(0) @binding(1) var<storage, read_write> states: array<BodyState>;

@compute @workgroup_size(64)
fn moveBodies(@builtin(global_invocation_id) id: vec3u) {
  let place = id.x;
  if (place >= step.bodyCount) { return; }
  let body = inputs[place];
  var state = states[place];
  if ((body.flags & BODY_PLACED) != 0u) {
    state.position = body.position;
    state.low = body.low;
    state.rotation = body.rotation;
    state.broken = 0.0;
  }
  if ((body.flags & BODY_LAUNCHED) != 0u) {
    state.velocity = vec3f(0.0);
    state.spin = vec3f(0.0);
  }
  state.velocity += body.velocityChange;
  state.spin += body.spinChange;
  let isDynamic = (body.flags & BODY_DYNAMIC) != 0u;
  state.inverseMass = select(0.0, body.inverseMass, isDynamic);
  state.inverseInertia = mat3x3f();
  state.isKinematic = select(0.0, 1.0, (body.flags & BODY_KINEMATIC) != 0u);
  if (isDynamic && (body.flags & BODY_IN_ISLAND) == 0u) {
    for (var n = 0u; n < step.substeps; n++) {
      let free = predict(body, state, mat3x3f(), step.gravity, step.h);
      // along a parabola: x⁺ = x⁻ + h (u⁻ + ũ)/2
      let way = step.h * limited(0.5 * (state.velocity + free.velocity), body.maxSpeed);
      let x = moved(state.position, state.low, way);
      state.position = x.position;
      state.low = x.low;
      var rotation = state.rotation;
      if (canTurn(body)) { rotation = advancedRotation(state.rotation, free.spin, free.offset, step.h); }
      state.velocity = limited(free.velocity, body.maxSpeed);
      state.spin = limited(keptSpin(body, free.rotation, rotation, free.velocity, free.spin), body.maxSpin);
      state.rotation = rotation;
    }
  }
  states[place] = state;
}
