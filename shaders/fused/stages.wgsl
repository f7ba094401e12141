// Stages of cloth in one dispatch that are the same for a whole body (cloth.wgsl) and for its patches (patches.wgsl). The importing module
// supplies the data of particles and faces, and `scratch`.

// The parts that the body has: others cost neither code nor registers.
override sharesMembranes: bool = false;
override bends: bool = true;
override holds: bool = true;
override touches: bool = true;
override touchesWithFaces: bool = true;

fn touch(p: u32) {
  var u = displacementOf(p);
  // Pins stay at their targets.
  if (u.w == 0.0) { return; }
  if (touchesWithFaces) {
    u += vec4f(pushByFaces(p).xyz, 0.0);
    setDisplacement(p, u);
  }
  if (particleIsNear(p, u.xyz)) { _ = touchParticle(p, vec4f(0.0)); }
}

// Contact of a face, whose corners' pushes begin at a place in the scratch buffer.
fn pushFace(face: u32, pushes: u32) {
  var push = SharedPushes(vec4f(0.0), vec4f(0.0), vec4f(0.0));
  if (faceIsNear(face)) { push = sharedPushes(face); }
  let first = pushes + 3u * face;
  scratch[first] = push.a;
  scratch[first + 1u] = push.b;
  scratch[first + 2u] = push.c;
}

// A particle goes by the shares that elements have for it.
fn takeShares(p: u32) {
  setDisplacement(p, displacementOf(p) + vec4f(gatheredShares(p).xyz, 0.0));
}
