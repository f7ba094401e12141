#import "math/symmetric3.wgsl"
#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "rods/rod-strain.wgsl"

// Joints of rods: (19) of paper 1 for k = 3 and the energy ½ ‖s‖², by Newton with line search; twin of cpu-rods.ts.

@group(0) @binding(5) var<storage, read> joints: array<RodJoint>;
// q⁻ of each edge
@group(0) @binding(6) var<storage, read> frames: array<vec4f>;
// of each edge φ [rad], 1/J over 1 + Δt damping [1/(kg m²)], 0 where clamped, ω [rad/s]
@group(0) @binding(7) var<storage, read_write> turns: array<vec4f>;
// of each joint what it has turned its two edges by, see `tracked`
@group(0) @binding(8) var<storage, read_write> trackedTurns: array<vec2f>;

override newtonIterations: u32 = 1u;
const lineSearchHalvings = 5u;

// W of the three particles and the two turns
struct RodWeights {
  x: vec3f,
  turn: vec2f,
}

// S W S'ᵀ
fn rodGram(w: RodWeights, a: RodGradient, b: RodGradient) -> mat3x3f {
  var gram = w.x.x * (transpose(a.e0) * b.e0) + w.x.z * (transpose(a.e1) * b.e1)
    + w.x.y * (transpose(a.e0 - a.e1) * (b.e0 - b.e1));
  for (var i = 0; i < 3; i++) { gram[i] += w.turn.x * b.turn0[i] * a.turn0 + w.turn.y * b.turn1[i] * a.turn1; }
  return gram;
}

fn movedPose(pose: RodPose, w: RodWeights, s: RodGradient, lambda: vec3f) -> RodPose {
  let force0 = s.e0 * lambda;
  let force1 = s.e1 * lambda;
  let middle = w.x.y * (force0 - force1);
  return RodPose(
    pose.e0 + middle + w.x.x * force0,
    pose.turn0 + w.turn.x * dot(s.turn0, lambda),
    pose.e1 + w.x.z * force1 - middle,
    pose.turn1 + w.turn.y * dot(s.turn1, lambda),
  );
}

fn trackedTurnsAt(joint: u32) -> vec2f {
  if (range.loadTracked == 0u || (range.loadTracked == 2u && step.warmStart == 0.0)) { return vec2f(0.0); }
  return select(1.0, step.warmStart, range.loadTracked == 2u) * trackedTurns[joint];
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
  let j = range.first + id.x;
  let joint = joints[j];
  let v = joint.vertices;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let d0 = trackedAt(3u * j);
  let d1 = trackedAt(3u * j + 1u);
  let d2 = trackedAt(3u * j + 2u);
  let dTurns = trackedTurnsAt(j);
  let q0 = frames[joint.firstEdge];
  let q1 = frames[joint.secondEdge];
  let turn0 = turns[joint.firstEdge];
  let turn1 = turns[joint.secondEdge];
  let hh = step.h * step.h;
  let w = RodWeights(hh * vec3f(u0.w, u1.w, u2.w), hh * vec2f(turn0.y, turn1.y));
  let startPose = RodPose(start[v.y].xyz - start[v.x].xyz, 0.0, start[v.z].xyz - start[v.y].xyz, 0.0);
  let pose = RodPose(
    startPose.e0 + (u1.xyz - u0.xyz), turn0.x, startPose.e1 + (u2.xyz - u1.xyz), turn1.x,
  );
  let gradient = rodGradient(joint, q0, q1, pose);
  let gram = rodGram(w, gradient, gradient);
  let trace = gram[0][0] + gram[1][1] + gram[2][2];
  if (!(trace > 0.0)) { return; }
  let b = transpose(gradient.e0) * (d1 - d0) + transpose(gradient.e1) * (d2 - d1)
    + dTurns.x * gradient.turn0 + dTurns.y * gradient.turn1;
  let viscosity = joint.damping / step.h;
  var s = rodStrain(joint, q0, q1, pose);
  var startStrain = s;
  if (viscosity > 0.0) { startStrain = rodStrain(joint, q0, q1, startPose); }
  var lambda = vec3f(0.0);
  var change = s - startStrain;
  var objective = 0.5 * (dot(s, s) + viscosity * dot(change, change));
  var movedGram = gram;
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let slopes = b + gram * lambda + movedGram * (s + viscosity * (s - startStrain));
    var a = gram + (1.0 + viscosity) * movedGram * transpose(movedGram);
    let shift = 1e-6 * (a[0][0] + a[1][1] + a[2][2]);
    a[0][0] += shift;
    a[1][1] += shift;
    a[2][2] += shift;
    let solved = solvePositiveDefinite3(a, -slopes);
    let direction = select(-slopes / trace, solved.xyz, solved.w > 0.0);
    let slope = dot(slopes, direction);
    if (!(slope < 0.0)) { break; }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving <= lineSearchHalvings; halving++) {
      let trial = lambda + t * direction;
      let trialPose = movedPose(pose, w, gradient, trial);
      let trialStrain = rodStrain(joint, q0, q1, trialPose);
      change = trialStrain - startStrain;
      let value = dot(b, trial) + 0.5 * dot(trial, gram * trial)
        + 0.5 * (dot(trialStrain, trialStrain) + viscosity * dot(change, change));
      // f32 knows a turn to about 1e-7.
      let rounding = 4e-7 * (1.0 + viscosity) * dot(joint.stiffness, abs(trialStrain) + abs(s) + 1e-7 * joint.stiffness);
      if (value <= objective + 1e-4 * t * slope + rounding) {
        accepted = true;
        lambda = trial;
        s = trialStrain;
        objective = value;
        if (newtonIterations > 1u) { movedGram = rodGram(w, gradient, rodGradient(joint, q0, q1, trialPose)); }
        break;
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  let force0 = gradient.e0 * lambda;
  let force1 = gradient.e1 * lambda;
  applyNow(3u * j, v.x, u0, d0, -w.x.x * force0);
  applyNow(3u * j + 1u, v.y, u1, d1, w.x.y * (force0 - force1));
  applyNow(3u * j + 2u, v.z, u2, d2, w.x.z * force1);
  let turned = step.relaxation * w.turn * vec2f(dot(gradient.turn0, lambda), dot(gradient.turn1, lambda));
  turns[joint.firstEdge].x = turn0.x + turned.x;
  turns[joint.secondEdge].x = turn1.x + turned.y;
  if (range.storeTracked != 0u) { trackedTurns[j] = dTurns + turned; }
}
