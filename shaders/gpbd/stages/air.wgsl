#import "gpbd/stages/face-air.wgsl"

// Lift and drag of the air on the faces, then on the particles as the mean of their faces. The importing module supplies startOf,
// velocityOf, cornersOf, firstFace, faceEntry, faceAirOf.

// acceleration of a face's material [m/s²]
fn airOnFace(face: u32) -> vec3f {
  let v = cornersOf(face);
  return airOn(
    startOf(v.x).xyz, startOf(v.y).xyz, startOf(v.z).xyz, velocityOf(v.x).xyz + velocityOf(v.y).xyz + velocityOf(v.z).xyz,
  );
}

// the same for a particle [m/s²]
fn airOnParticle(p: u32) -> vec3f {
  let first = firstFace(p);
  let last = firstFace(p + 1u);
  var sum = vec3f(0.0);
  for (var i = first; i < last; i++) { sum += faceAirOf(faceEntry(i) / 3u); }
  return sum / max(1.0, f32(last - first));
}
