#import "articulated/batch-dynamics.wgsl"

// Motors and servos, each of one coordinate: twin of src/articulated/actuators/actuators.ts, which tells why forces at the end of a step
// need several solutions.

// Solutions in which all servos change at once, and those in which only the first one does; then bounds are not left any more.
const drivesTogether = 6u;
const drivesSingly = 40u;
// part of the terms of a force that is rounding
const driveRounding = 1e-6;

// Force on a coordinate, x + y q + z q̇, less what of it is at the end of the step in `backward`.
struct Drive {
  bias: vec3f,
}

fn inputOf(dof: BatchDof) -> f32 {
  let u = controls[dof.inputRow * batch.worldCount + world];
  return clamp(u, dof.range.x, dof.range.y);
}

// As a servo acts in the present solution: a spring and a damper, or the force of its bound.
fn driveOf(k: u32, dof: BatchDof) -> Drive {
  if (dof.inputRow == 0u) { return Drive(vec3f(0.0)); }
  let bound = load(dofAt(k) + DOF_BOUND);
  if (bound != 0.0) { return Drive(vec3f(select(dof.range.z, dof.range.w, bound > 0.0), 0.0, 0.0)); }
  let scale = varied(batch.gainRow, k, 1.0);
  let bias = scale * dof.bias;
  return Drive(vec3f(scale * dof.gain * inputOf(dof) + bias.x, bias.y, bias.z + stepTime * bias.y));
}

// −1 or 1 at the bound that a force is beyond, otherwise 0
fn boundOf(dof: BatchDof, force: f32) -> f32 {
  return select(select(0.0, 1.0, force >= dof.range.w), -1.0, force <= dof.range.z);
}

// Whether servos are at a bound at the begin of the step.
fn prepareDrives() {
  for (var k = 0u; batch.driveCount > 0u && k < batch.dofCount; k++) {
    let dof = dofs[k];
    if (dof.inputRow == 0u) { continue; }
    let scale = varied(batch.gainRow, k, 1.0);
    let u = dof.gain * inputOf(dof);
    let total = scale * (u + dot(dof.bias, vec3f(1.0, states[positionIndex(k)], states[velocityIndex(k)])));
    store(dofAt(k) + DOF_BOUND, boundOf(dof, total));
  }
}

// Whether servos went beyond their bounds, or back within: then the step has to be solved again. DOF_VALUE has q̇'.
fn reviewDrives(solutions: u32) -> bool {
  var isChanged = false;
  for (var k = 0u; batch.driveCount > 0u && k < batch.dofCount; k++) {
    let dof = dofs[k];
    if (dof.inputRow == 0u || (dof.bias.y == 0.0 && dof.bias.z == 0.0)) { continue; }
    let at = dofAt(k);
    let scale = varied(batch.gainRow, k, 1.0);
    let rate = load(at + DOF_VALUE);
    let pull = dof.bias.y * vec2f(states[positionIndex(k)], stepTime * rate);
    let push = vec3f(dof.gain * inputOf(dof), dof.bias.x, dof.bias.z * rate);
    let total = scale * (push.x + push.y + push.z + pull.x + pull.y);
    let rounding = driveRounding * scale * (dot(abs(push), vec3f(1.0)) + dot(abs(pull), vec2f(1.0)));
    let bound = load(at + DOF_BOUND);
    if (bound != 0.0) {
      let isBeyond = select(total <= dof.range.z + rounding, total >= dof.range.w - rounding, bound > 0.0);
      if (isBeyond || solutions > drivesSingly) { continue; }
      store(at + DOF_BOUND, 0.0);
    } else if (total >= dof.range.z - rounding && total <= dof.range.w + rounding) {
      continue;
    } else {
      store(at + DOF_BOUND, boundOf(dof, total));
    }
    isChanged = true;
    if (solutions > drivesTogether) { break; }
  }
  return isChanged;
}
