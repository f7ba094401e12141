#import "guard/guard.wgsl"

// A substep of a body that pins lead, that rigid bodies carry some of, or with something under pressure inside: twin of cpu-guard.ts.

// x⁻ of each particle
@group(0) @binding(13) var<storage, read> start: array<vec4f>;
// of each particle what elements have moved it by in the substep [m], and 1 where its motion is its own; then what a pull has
@group(0) @binding(14) var<storage, read_write> inner: array<vec4f>;
@group(0) @binding(15) var<storage, read> inflationState: Inside;

// λ and V, as in inflation.wgsl
struct Inside {
  pressure: f32,
  change: f32,
  volume: f32,
}

fn predictedOf(p: u32) -> vec3f {
  var force = step.gravity;
  if (step.airDensity > 0.0) {
    force += particleAir[p].xyz;
  }
  return step.decay * step.h * (velocity[p].xyz + step.h * force);
}

// After the prediction, with what elements and pressure have begun with.
@compute @workgroup_size(64)
fn beginLed(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let isOwn = pins[p].w > 0.0;
  inner[p] = vec4f(displacement[p].xyz - predictedOf(p), select(0.0, 1.0, isOwn));
  inner[step.particleCount + p] = vec4f(0.0);
  if (p == 0u && step.fractionStart == 0.0 && lead.wasInflated == 0u) {
    guard.volume = inflationState.volume;
  }
}

// Before a sweep over the elements.
@compute @workgroup_size(64)
fn beforeSweep(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    inner[id.x] -= vec4f(displacement[id.x].xyz, 0.0);
  }
}

// After it.
@compute @workgroup_size(64)
fn afterSweep(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < step.particleCount) {
    inner[id.x] += vec4f(displacement[id.x].xyz, 0.0);
  }
}

var<workgroup> laneLooks: array<vec2f, guardLanes>;

// Σ m (½ u² − u·ṽ), and the work of pulls and pressure.
@compute @workgroup_size(128)
fn lookLed(@builtin(local_invocation_index) lane: u32) {
  var own = vec2f(0.0);
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    let d = displacement[p];
    if (d.w == 0.0 || inner[p].w == 0.0) {
      continue;
    }
    let u = leadAt(start[p].xyz);
    let before = step.decay * (velocity[p].xyz + step.h * step.gravity);
    own += vec2f(
      step.decay / d.w * dot(u, 0.5 * u - before),
      dot(inner[step.particleCount + p].xyz, d.xyz) / (step.h * step.h * d.w),
    );
  }
  laneLooks[lane] = own;
  workgroupBarrier();
  if (lane == 0u) {
    var all = vec2f(0.0);
    for (var i = 0u; i < guardLanes; i++) {
      all += laneLooks[i];
    }
    if (lead.isInflated == 1u) {
      all.y += inflationState.pressure * (inflationState.volume - guard.volume);
      guard.volume = inflationState.volume;
    }
    guard.shift = all.x;
    guard.work = all.y;
  }
}

fn ledSums(p: u32) -> BodySums {
  let d = displacement[p];
  if (d.w == 0.0 || inner[p].w == 0.0) {
    return BodySums();
  }
  let m = motionOf(p, d);
  let u = leadAt(start[p].xyz);
  let had = liftOf(max(0.0, guard.budget + guard.shift), guard.stored);
  let way = d.xyz - step.h * u;
  let within = min(1.0, reachOf(m, had) / max(length(way), 1e-30));
  return sumsOf(
    p,
    m,
    m.mass * dot(m.force, step.h * u + way * within),
    m.mass * dot(u, m.change - inner[p].xyz / step.h),
    m.mass * vec3f(dot(u, u), dot(u, m.before), dot(u, m.change)),
  );
}

@compute @workgroup_size(64)
fn sumLed(@builtin(global_invocation_id) id: vec3u) {
  let count = chunks();
  if (id.x >= count) {
    return;
  }
  var sums: BodySums;
  for (var p = id.x; p < step.particleCount; p += count) {
    sums = addSums(sums, ledSums(p));
  }
  guardSums[id.x] = sums;
}

var<workgroup> laneFreed: array<f32, guardLanes>;

// At the start of a frame: a particle that pins let go of goes on as they moved it.
@compute @workgroup_size(128)
fn freeLed(@builtin(local_invocation_index) lane: u32) {
  var own = 0.0;
  for (var p = lane; p < step.particleCount; p += guardLanes) {
    let v = velocity[p];
    if (pins[p].w > 0.0 && v.w == 1.0) {
      own += 0.5 * dot(v.xyz, v.xyz) / pins[p].w;
    }
  }
  laneFreed[lane] = own;
  workgroupBarrier();
  if (lane == 0u && guard.budget < NO_BUDGET) {
    for (var i = 0u; i < guardLanes; i++) {
      guard.budget += laneFreed[i];
    }
  }
}
