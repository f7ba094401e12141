#import "gpbd/step.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "gpbd/contact/work-list-append.wgsl"

// Which particles and faces may touch an obstacle in this substep. Signed distances change no faster than place: a particle
// that was `clearance` away from everything, and has moved less since, cannot touch; nor can a face whose longest edge
// is shorter than what is left. All others go on a list for the contact kernels; none is left out.

const touchingMargin = 1.05;

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// the last, after those of the particles: how far proxies have yielded, see move-proxies.wgsl [m]
@group(0) @binding(2) var<storage, read> clearance: array<f32>;
@group(0) @binding(7) var<storage, read> faces: array<u32>;
// displacement of each face's corners by face contact [m]; w: the proxy that is met, 0 for none
@group(0) @binding(8) var<storage, read_write> faceContact: array<vec4f>;

// see reaction.wgsl
@group(0) @binding(12) var<storage, read_write> reaction: array<vec4f>;

override gatherFaces: bool = false;

// Mean over the faces at the particle that were pushed; w: a proxy that pushed one, 0 for none.
fn meanFacePush(p: u32) -> vec4f {
  var sum = vec3f(0.0);
  var proxy = 0.0;
  var touching = 0.0;
  for (var i = faceOffsets[p]; i < faceOffsets[p + 1u]; i++) {
    let push = faceContact[faceEntries[i]];
    sum += push.xyz;
    let pushed = any(push.xyz != vec3f(0.0));
    touching += select(0.0, 1.0, pushed);
    proxy = select(proxy, push.w, pushed && proxy == 0.0);
  }
  return vec4f(sum / max(touching, 1.0), proxy);
}

fn obstacleMotion() -> f32 {
  return step.obstacleMotion + clearance[step.particleCount];
}

@compute @workgroup_size(64)
fn particles(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  var u = displacement[p];
  // Pins stay at their targets, and a carried particle goes with its body.
  if (u.w == 0.0 || reaction[p].w < 0.0) {
    return;
  }
  if (gatherFaces) {
    let push = meanFacePush(p);
    u += vec4f(push.xyz, 0.0);
    displacement[p] = u;
    if (push.w != 0.0) {
      reaction[p] = vec4f(reaction[p].xyz + push.xyz, push.w);
    }
  }
  if (!(clearance[p] - length(u.xyz) - obstacleMotion() > touchingMargin * step.thickness)) {
    appendToList(p);
  }
}

@compute @workgroup_size(64)
fn faceList(@builtin(global_invocation_id) id: vec3u) {
  let face = id.x;
  if (face >= step.faceCount) {
    return;
  }
  let v = vec3u(faces[3u * face], faces[3u * face + 1u], faces[3u * face + 2u]);
  let ua = displacement[v.x].xyz;
  let ub = displacement[v.y].xyz;
  let uc = displacement[v.z].xyz;
  let a = start[v.x].xyz;
  let b = start[v.y].xyz;
  let c = start[v.z].xyz;
  let edge = max(
    max(distance(a, b), max(distance(b, c), distance(c, a))),
    max(distance(a + ua, b + ub), max(distance(b + ub, c + uc), distance(c + uc, a + ua))),
  );
  // The way of the face's points is as long as the longest of its corners'.
  let way = max(length(ua), max(length(ub), length(uc)));
  let left = max(clearance[v.x], max(clearance[v.y], clearance[v.z]));
  if (left - edge - 2.0 * way - obstacleMotion() > touchingMargin * step.thickness) {
    faceContact[3u * face] = vec4f(0.0);
    faceContact[3u * face + 1u] = vec4f(0.0);
    faceContact[3u * face + 2u] = vec4f(0.0);
    return;
  }
  appendToList(face);
}
