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

fn inputOf(k: u32) -> f32 {
  let u = controls[dofs[k].inputRow * batch.worldCount + world];
  return clamp(u, dofs[k].range.x, dofs[k].range.y);
}

// As a servo acts in the present solution: a spring and a damper, or the force of its bound.
fn driveOf(k: u32) -> Drive {
  if (dofs[k].inputRow == 0u) { return Drive(vec3f(0.0)); }
  let bound = load(dofAt(k) + DOF_BOUND);
  if (bound != 0.0) { return Drive(vec3f(select(dofs[k].range.z, dofs[k].range.w, bound > 0.0), 0.0, 0.0)); }
  let scale = varied(batch.gainRow, k, 1.0);
  let bias = scale * dofs[k].bias;
  return Drive(vec3f(scale * dofs[k].gain * inputOf(k) + bias.x, bias.y, bias.z + stepTime * bias.y));
}

// −1 or 1 at the bound that a force is beyond, otherwise 0
fn boundOf(k: u32, force: f32) -> f32 {
  return select(select(0.0, 1.0, force >= dofs[k].range.w), -1.0, force <= dofs[k].range.z);
}

// Whether servos are at a bound at the begin of the step.
fn prepareDrives() {
  for (var k = lane; batch.driveCount > 0u && k < batch.dofCount; k += laneCount()) {
    if (dofs[k].inputRow == 0u) { continue; }
    let scale = varied(batch.gainRow, k, 1.0);
    let u = dofs[k].gain * inputOf(k);
    let total = scale * (u + dot(dofs[k].bias, vec3f(1.0, states[positionIndex(k)], states[velocityIndex(k)])));
    store(dofAt(k) + DOF_BOUND, boundOf(k, total));
  }
  sync();
}

// Whether servos went beyond their bounds, or back within: then the step has to be solved again. DOF_VALUE has q̇'.
fn reviewDrives(solutions: u32) -> bool {
  var isChanged = false;
  // All at once by all lanes, or one after the other by the first lane.
  let alone = solutions > drivesTogether;
  for (var k = select(lane, lane * batch.dofCount, alone); batch.driveCount > 0u && k < batch.dofCount; k += select(laneCount(), 1u, alone)) {
    if (dofs[k].inputRow == 0u || (dofs[k].bias.y == 0.0 && dofs[k].bias.z == 0.0)) { continue; }
    let at = dofAt(k);
    let scale = varied(batch.gainRow, k, 1.0);
    let rate = load(at + DOF_VALUE);
    let pull = dofs[k].bias.y * vec2f(states[positionIndex(k)], stepTime * rate);
    let push = vec3f(dofs[k].gain * inputOf(k), dofs[k].bias.x, dofs[k].bias.z * rate);
    let total = scale * (push.x + push.y + push.z + pull.x + pull.y);
    let rounding = driveRounding * scale * (dot(abs(push), vec3f(1.0)) + dot(abs(pull), vec2f(1.0)));
    let bound = load(at + DOF_BOUND);
    if (bound != 0.0) {
      let isBeyond = select(total <= dofs[k].range.z + rounding, total >= dofs[k].range.w - rounding, bound > 0.0);
      if (isBeyond || solutions > drivesSingly) { continue; }
      store(at + DOF_BOUND, 0.0);
    } else if (total >= dofs[k].range.z - rounding && total <= dofs[k].range.w + rounding) {
      continue;
    } else {
      store(at + DOF_BOUND, boundOf(k, total));
    }
    isChanged = true;
    if (alone) { break; }
  }
  return greatest(select(0.0, 1.0, isChanged)) > 0.0;
}
