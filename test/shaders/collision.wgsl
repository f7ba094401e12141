#import "collision/distance/signed-distance.wgsl"
#import "collision/distance/nearest-of-hull.wgsl"
#import "collision/contact/particle-contact.wgsl"
#import "collision/contact/face-contact.wgsl"

// Runs the functions of collision/ on lists of inputs. A record of input or output is a few vec4f, see each kernel.
@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4f>;

const thickness = 0.005;

// in: point in the frame of the primitive, primitive; out: direction, distance
@compute @workgroup_size(64)
fn distances(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&output)) {
    return;
  }
  output[id.x] = signedDistance(u32(input[id.x].w), input[id.x].xyz);
}

// in: point outside of a hull, in its frame, primitive; out: direction from the nearest point, distance
@compute @workgroup_size(64)
fn outsideHulls(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&output)) {
    return;
  }
  let k = u32(input[id.x].w);
  output[id.x] = nearestOfHull(k, input[id.x].xyz, signedDistance(k, input[id.x].xyz));
}

// in: start, primitive | displacement | fractions; out: normal, push or -1 without contact | surface displacement
@compute @workgroup_size(64)
fn sweeps(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (2u * i >= arrayLength(&output)) {
    return;
  }
  let start = input[3u * i];
  let fractions = input[3u * i + 2u].xy;
  let found = sweepContact(u32(start.w), start.xyz, input[3u * i + 1u].xyz, thickness, fractions.x, fractions.y, true);
  output[2u * i] = vec4f(found.normal, select(-1.0, found.push, found.touching));
  output[2u * i + 1u] = vec4f(found.surfaceDisplacement, found.clearance);
}

// in: start | displacement | contact | fractions, friction, obstacles; out: displacement, touching | contact
@compute @workgroup_size(64)
fn particles(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (2u * i >= arrayLength(&output)) {
    return;
  }
  let rest = input[4u * i + 3u];
  let found = resolveParticleContact(
    u32(rest.w), input[4u * i].xyz, input[4u * i + 1u].xyz, input[4u * i + 2u], thickness, rest.z, rest.x, rest.y, 1.0,
    vec4f(0.0),
  );
  output[2u * i] = vec4f(found.displacement, select(0.0, 1.0, found.touching));
  output[2u * i + 1u] = found.contact;
}

// in: starts, weights in w | displacements, then fractions, friction in w; out: three displacements, hit in w of the first
@compute @workgroup_size(64)
fn faces(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (3u * i >= arrayLength(&output)) {
    return;
  }
  let a = input[6u * i];
  let b = input[6u * i + 1u];
  let c = input[6u * i + 2u];
  let da = input[6u * i + 3u];
  let db = input[6u * i + 4u];
  let dc = input[6u * i + 5u];
  let found = resolveFaceContact(
    arrayLength(&colliders),
    FaceVectors(a.xyz, b.xyz, c.xyz),
    FaceVectors(da.xyz, db.xyz, dc.xyz),
    vec3f(a.w, b.w, c.w),
    all(b == c),
    thickness, dc.w, da.w, db.w,
  );
  output[3u * i] = vec4f(found.push.a, select(0.0, 1.0, found.hit));
  output[3u * i + 1u] = vec4f(found.push.b, 0.0);
  output[3u * i + 2u] = vec4f(found.push.c, 0.0);
}
