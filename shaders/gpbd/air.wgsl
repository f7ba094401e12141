#import "gpbd/step.wgsl"
#import "gpbd/cloth/faces.wgsl"
#import "air.wgsl"

// Lift and drag of the air on the faces, then on the particles as the mean of their faces.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
@group(0) @binding(7) var<storage, read> faces: array<u32>;
// acceleration of each face's material [m/s²]
@group(0) @binding(8) var<storage, read_write> faceAir: array<vec4f>;

// the same for each particle [m/s²]
@group(0) @binding(3) var<storage, read_write> particleAir: array<vec4f>;

@compute @workgroup_size(64)
fn airOnFaces(@builtin(global_invocation_id) id: vec3u) {
  let face = id.x;
  if (face >= step.faceCount) {
    return;
  }
  let a = faces[3u * face];
  let b = faces[3u * face + 1u];
  let c = faces[3u * face + 2u];
  let areaNormal = cross(start[b].xyz - start[a].xyz, start[c].xyz - start[a].xyz);
  let wind = step.wind - (velocity[a].xyz + velocity[b].xyz + velocity[c].xyz) / 3.0;
  let acceleration =
    faceAirAcceleration(areaNormal, wind, step.airDensity, step.drag, step.lift, step.arealMass, step.airInterval);
  faceAir[face] = vec4f(acceleration, 0.0);
}

@compute @workgroup_size(64)
fn airOnParticles(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let first = faceOffsets[p];
  let last = faceOffsets[p + 1u];
  var sum = vec3f(0.0);
  for (var i = first; i < last; i++) {
    sum += faceAir[faceEntries[i] / 3u].xyz;
  }
  particleAir[p] = vec4f(sum / max(1.0, f32(last - first)), 0.0);
}
