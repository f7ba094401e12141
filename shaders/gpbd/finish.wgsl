#import "gpbd/step.wgsl"

// v = (x − x⁻)/Δt: equation (2) of paper 1. A body with a displacement that is no longer finite is frozen where it was
// at the start of the substep, and the frame is noted.

@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> velocity: array<vec4f>;
// first frame with a displacement that was not finite; 0xffffffff while there is none
@group(0) @binding(3) var<storage, read_write> frozenAt: atomic<u32>;

// lower bound of the distance to every obstacle [m]; the last: how far proxies have yielded, see move-proxies.wgsl
@group(0) @binding(4) var<storage, read_write> clearance: array<f32>;

// see predict.wgsl
@group(0) @binding(5) var<storage, read> pins: array<vec4f>;
// no pin pulls harder than this [N]; 0 where it holds exactly, and where there is none
@group(0) @binding(6) var<storage, read> pinLimits: array<f32>;

// The displacement, with the part that a pin which may give adds to it.
const RECEDING = 0.5;
const EARTH = 9.81;

fn pulled(p: u32, u: vec4f) -> vec3f {
  let limit = pinLimits[p];
  if (limit == 0.0) {
    return u.xyz;
  }
  let way = step.gripShare * (pins[p].xyz - start[p].xyz) - u.xyz;
  let most = limit * step.h * step.h * u.w;
  return u.xyz + way * min(1.0, most / max(length(way), 1e-30));
}

// By the exponent bits: shader compilers may assume that floats are never NaN.
fn isFinite3(v: vec3f) -> bool {
  return all((bitcast<vec3u>(v) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
}

// Whether a displacement counts: one that is not finite freezes the body.
fn isSound(p: u32, u: vec3f) -> bool {
  if (!isFinite3(u)) {
    atomicMin(&frozenAt, step.frame);
  }
  if (isFinite3(u) && atomicLoad(&frozenAt) == 0xffffffffu) {
    return true;
  }
  velocity[p] = vec4f(0.0);
  return false;
}

// Distance that a particle within obstacles keeps less than its thickness, after the substep; see overlap.ts.
fn receded(depth: f32) -> f32 {
  if (depth <= 0.0) {
    return 0.0;
  }
  let g = length(step.gravity);
  let most = select(RECEDING, RECEDING * g / EARTH, g > 0.0);
  return max(0.0, depth - step.h * select(most, min(most, sqrt(g * depth)), g > 0.0));
}

fn goOn(p: u32, u: vec3f, v: vec3f) {
  start[p] = vec4f(start[p].xyz + u, receded(start[p].w));
  velocity[p] = vec4f(v, 0.0);
  clearance[p] -= length(u) + step.obstacleMotion + clearance[step.particleCount];
}

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let u = pulled(p, displacement[p]);
  if (isSound(p, u)) {
    goOn(p, u, u / step.h);
  }
}
