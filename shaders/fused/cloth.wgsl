#import "fused/body.wgsl"
#import "fused/stages.wgsl"

// Cloth through all substeps of a frame in one dispatch: a workgroup is a body, and barriers stand where other bodies have the end of a
// dispatch. A stage that takes no other particle than its own needs none. The importing module supplies the density.

const threads = 256u;

// Color after color, or all at once where there are no colors.
fn sweepMembranes(lane: u32) {
  rows = body.membraneRows;
  entries = body.membraneEntries;
  range.interval = 1.0;
  for (var color = 0u; color < body.membraneColorCount; color++) {
    let last = word(body.membraneColors, color + 1u);
    for (var e = word(body.membraneColors, color) + lane; e < last; e += threads) {
      if (sharesMembranes) {
        shareMembrane(e);
      } else {
        sweepMembrane(e);
      }
    }
    storageBarrier();
  }
  if (sharesMembranes) { gatherAll(lane); }
}

// The same; `isAtOnce` tells the elements.
fn sweepBendings(lane: u32) {
  rows = body.bendingRows;
  entries = body.bendingEntries;
  range.interval = f32(body.bendingInterval);
  for (var color = 0u; color < body.bendingColorCount; color++) {
    let last = word(body.bendingColors, color + 1u);
    for (var e = word(body.bendingColors, color) + lane; e < last; e += threads) { solveBending(e); }
    storageBarrier();
  }
  if (isAtOnce) { gatherAll(lane); }
}

fn gatherAll(lane: u32) {
  for (var p = lane; p < firstStep.particleCount; p += threads) { takeShares(p); }
  storageBarrier();
}

fn blow(lane: u32) {
  storageBarrier();
  for (var face = lane; face < firstStep.faceCount; face += threads) {
    scratch[body.faceAirs + face] = vec4f(airOnFace(face), 0.0);
  }
  storageBarrier();
  for (var p = lane; p < firstStep.particleCount; p += threads) {
    scratch[body.particleAirs + p] = vec4f(airOnParticle(p), 0.0);
  }
}

fn pushFaces(lane: u32) {
  storageBarrier();
  for (var face = lane; face < firstStep.faceCount; face += threads) { pushFace(face, body.facePushes); }
  storageBarrier();
}

fn stepCloth(lane: u32) {
  beginFrame();
  for (var substep = 0u; substep < body.substeps; substep++) {
    beginSubstep(substep);
    if (body.airInterval != 0u) {
      if (substep % body.airInterval == 0u) { blow(lane); }
    }
    for (var p = lane; p < firstStep.particleCount; p += threads) { predictParticle(p); }
    storageBarrier();
    sweepMembranes(lane);
    if (bends) {
      if (substep % body.bendingInterval == 0u) { sweepBendings(lane); }
    }
    if (holds) {
      for (var p = lane; p < firstStep.particleCount; p += threads) { holdParticle(p); }
      // Anchors that another thread reads go on after this.
      storageBarrier();
    }
    if (touches) {
      for (var attempt = 0u; attempt < body.contactPasses; attempt++) {
        if (touchesWithFaces) { pushFaces(lane); }
        for (var p = lane; p < firstStep.particleCount; p += threads) { touch(p); }
      }
    }
    for (var p = lane; p < firstStep.particleCount; p += threads) { finishParticle(p); }
  }
}
