#import "gpbd/step-parameters.wgsl"
#import "air.wgsl"

// Lift and drag of the air on the faces, then on the particles as the mean of their faces. The importing module supplies `start`,
// `velocity`, cornersOf, firstFace, faceEntry, faceAirOf.

// acceleration of a face's material [m/s²]
fn airOnFace(face: u32) -> vec3f {
  let v = cornersOf(face);
  let areaNormal = cross(start[v.y].xyz - start[v.x].xyz, start[v.z].xyz - start[v.x].xyz);
  let wind = step.wind - (velocity[v.x].xyz + velocity[v.y].xyz + velocity[v.z].xyz) / 3.0;
  return faceAirAcceleration(areaNormal, wind, step.airDensity, step.drag, step.lift, step.arealMass, step.airInterval);
}

// the same for a particle [m/s²]
fn airOnParticle(p: u32) -> vec3f {
  let first = firstFace(p);
  let last = firstFace(p + 1u);
  var sum = vec3f(0.0);
  for (var i = first; i < last; i++) {
    sum += faceAirOf(faceEntry(i) / 3u);
  }
  return sum / max(1.0, f32(last - first));
}
