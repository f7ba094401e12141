#import "gpbd/step.wgsl"
#import "gpbd/contact/work-list.wgsl"
#import "collision/contact/face-contact.wgsl"

// Contact of the edges and insides of the faces that near-obstacles.wgsl listed; the particles gather what it finds.

// w: how much less distance than its thickness a particle keeps, see overlap.ts
@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(7) var<storage, read> faces: array<u32>;
// displacement of each face's corners [m]; w: the proxy that is met, 0 for none
@group(0) @binding(8) var<storage, read_write> faceContact: array<vec4f>;

@compute @workgroup_size(64)
fn faceContacts(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= atomicLoad(&workList.count)) {
    return;
  }
  let face = workList.items[id.x];
  let v = vec3u(faces[3u * face], faces[3u * face + 1u], faces[3u * face + 2u]);
  let within = max(start[v.x].w, max(start[v.y].w, start[v.z].w));
  if (within > 0.0) {
    faceContact[3u * face] = vec4f(0.0);
    faceContact[3u * face + 1u] = vec4f(0.0);
    faceContact[3u * face + 2u] = vec4f(0.0);
    return;
  }
  let a = displacement[v.x];
  let b = displacement[v.y];
  let c = displacement[v.z];
  let result = resolveFaceContact(
    step.colliderCount,
    FaceVectors(start[v.x].xyz, start[v.y].xyz, start[v.z].xyz),
    FaceVectors(a.xyz, b.xyz, c.xyz),
    vec3f(a.w, b.w, c.w),
    step.thickness, step.friction, step.fractionStart, step.fractionEnd,
  );
  let proxy = f32(result.proxy);
  faceContact[3u * face] = vec4f(result.push.a, proxy);
  faceContact[3u * face + 1u] = vec4f(result.push.b, proxy);
  faceContact[3u * face + 2u] = vec4f(result.push.c, proxy);
}
