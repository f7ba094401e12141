#import "fused/table.wgsl"
#import "fused/stages.wgsl"
#import "gpbd/stages/face-air.wgsl"
#import "gpbd/access/set-displacement.wgsl"

// Cloth that goes through some substeps in one dispatch, a workgroup for a patch of it: see patch-plan.ts, which says what a patch takes, and
// patch-table.ts, which packs that. Particles are numbered within the patch. Displacements are in the memory of the workgroup, places and
// velocities in the patch's own part of the scratch buffer, since all patches read the state of the body before and write the one after.

struct PatchChunk {
  // of the frame
  firstSubstep: u32,
  substeps: u32,
  // substeps of the plan that are left out at its start
  skipped: u32,
  // whether the air is evaluated
  blows: u32,
  // whether the last substep ends before contact, since surfaces touch then
  isOpen: u32,
}

// of each particle of the body: place and how much less distance it keeps, velocity and distance to obstacles; after those of all
// particles, displacements of a substep that is open
@group(0) @binding(0) var<storage, read> stateBefore: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> stateAfter: array<vec4f>;
// see finish.wgsl
@group(0) @binding(2) var<storage, read_write> frozenAt: atomic<u32>;
@group(0) @binding(3) var<storage, read> plan: array<u32>;
// acceleration by the air of the body's particles [m/s²], then what each patch has for itself
@group(0) @binding(4) var<storage, read_write> scratch: array<vec4f>;
@group(1) @binding(0) var<uniform> chunk: PatchChunk;

const threads = 256u;
// what fits 16 kB
const mostTaken = 1024u;
var<workgroup> displacement: array<vec4f, mostTaken>;

// Entries of a patch's record, see patch-table.ts: places in the plan,
const partParticles = 0u;
const partMembranes = 1u;
const partBendings = 2u;
const partFaces = 3u;
const partMembraneRows = 4u;
const partBendingRows = 5u;
const partFaceRows = 6u;
const partCounts = 7u;
const partColors = 8u;
// places in the scratch buffer,
const partState = 9u;
const partShares = 10u;
const partFacePushes = 11u;
// and a number
const partOwned = 12u;

// Entries of the counts of a substep; those of the colors of membranes and bending follow.
const countTaken = 0u;
const countSwept = 1u;
const countHeld = 2u;
const countFinished = 3u;
const countFaces = 4u;
const countColors = 5u;

var<private> record: u32;
var<private> particles: u32;
var<private> state: u32;
// where the counts of the substep are
var<private> counts: u32;
// where the rows of the whole body are, of the elements that are swept
var<private> allRows: u32;

// Marks the number in the body of a pin, which another patch may have.
const otherPatch = 0x40000000u;

fn part(which: u32) -> u32 {
  return plan[record + which];
}

fn countOf(which: u32) -> u32 {
  return plan[counts + which];
}

fn inBody(p: u32) -> u32 {
  return plan[particles + p];
}

fn membraneAt(e: u32) -> MembraneElement {
  let at = part(partMembranes) + 4u * e;
  let whole = body.membranes + 2u * plan[at + 3u];
  return MembraneElement(
    vec3u(plan[at], plan[at + 1u], plan[at + 2u]), bitcast<f32>(table[whole].w), bitcast<vec4f>(table[whole + 1u]),
  );
}

fn bendingCorner(i: u32) -> BendingCorner {
  let size = select(arity, arity + 3u, isCurved);
  let e = i / size;
  let place = i - size * e;
  let at = part(partBendings) + (arity + 1u) * e;
  let weights = bitcast<vec3f>(table[body.bendings + size * plan[at] + place].xyz);
  if (place >= arity) { return BendingCorner(weights, noVertex); }
  return BendingCorner(weights, plan[at + 1u + place]);
}

fn tetherAt(i: u32) -> Tether {
  var tether = tetherIn(TETHERS * inBody(i / TETHERS) + i % TETHERS);
  if (tether.anchor >= 0) { tether.anchor += i32(otherPatch); }
  return tether;
}

fn pinOf(p: u32) -> vec4f {
  return bitcast<vec4f>(table[body.pins + inBody(p)]);
}

fn pinLimitOf(p: u32) -> f32 {
  return bitcast<f32>(word(body.pinLimits, inBody(p)));
}

fn cornersOf(face: u32) -> vec3u {
  let at = part(partFaces) + 3u * face;
  return vec3u(plan[at], plan[at + 1u], plan[at + 2u]);
}

fn firstFace(p: u32) -> u32 {
  return plan[part(partFaceRows) + p];
}

fn faceEntry(i: u32) -> u32 {
  return plan[i];
}

fn startOf(p: u32) -> vec4f {
  if (holds) {
    if ((p & otherPatch) != 0u) { return stateBefore[2u * (p ^ otherPatch)]; }
  }
  return scratch[state + 3u * p];
}

fn setStart(p: u32, x: vec4f) {
  scratch[state + 3u * p] = x;
}

fn velocityOf(p: u32) -> vec4f {
  return scratch[state + 3u * p + 1u];
}

fn setVelocity(p: u32, v: vec4f) {
  scratch[state + 3u * p + 1u] = vec4f(v.xyz, clearanceOf(p));
}

fn clearanceOf(p: u32) -> f32 {
  return velocityOf(p).w;
}

fn setClearance(p: u32, value: f32) {
  scratch[state + 3u * p + 1u] = vec4f(velocityOf(p).xyz, value);
}

// No rigid body yields to it.
fn proxiesYield() -> f32 {
  return 0.0;
}

fn airOf(p: u32) -> vec3f {
  return scratch[state + 3u * p + 2u].xyz;
}

fn displacementOf(p: u32) -> vec4f {
  if (holds) {
    if ((p & otherPatch) != 0u) {
      let pin = bitcast<vec4f>(table[body.pins + (p ^ otherPatch)]);
      return vec4f((pin.xyz - startOf(p).xyz) * step.pinShare, 0.0);
    }
  }
  return displacement[p];
}

// A single projection in a substep starts from nothing and leaves nothing.
fn contactOf(_p: u32) -> vec4f {
  return vec4f(0.0);
}

fn setContact(_p: u32, _c: vec4f) {
}

fn facePushOf(corner: u32) -> vec4f {
  return scratch[part(partFacePushes) + corner];
}

fn setShare(slot: u32, share: vec3f) {
  scratch[part(partShares) + slot] = vec4f(share, 0.0);
}

fn firstShare(p: u32) -> u32 {
  return plan[rows + p];
}

fn shareAt(i: u32) -> vec4f {
  return scratch[part(partShares) + plan[i]];
}

// In the whole body.
fn valence(p: u32) -> f32 {
  let q = inBody(p);
  return f32(word(allRows, q + 1u) - word(allRows, q));
}

// Acceleration by the air of a particle of the body [m/s²]: see stages/air.wgsl.
fn airAt(q: u32) -> vec3f {
  let first = word(body.faceRows, q);
  let last = word(body.faceRows, q + 1u);
  var sum = vec3f(0.0);
  for (var i = first; i < last; i++) {
    let v = table[body.faces + word(body.faceEntries, i) / 3u].xyz;
    let velocities = stateBefore[2u * v.x + 1u].xyz + stateBefore[2u * v.y + 1u].xyz + stateBefore[2u * v.z + 1u].xyz;
    sum += airOn(stateBefore[2u * v.x].xyz, stateBefore[2u * v.y].xyz, stateBefore[2u * v.z].xyz, velocities);
  }
  return sum / max(1.0, f32(last - first));
}

fn wait() {
  workgroupBarrier();
  storageBarrier();
}

// Color after color, or all at once where there are no colors.
fn sweepMembranes(lane: u32) {
  rows = part(partMembraneRows);
  allRows = body.membraneRows;
  range.interval = 1.0;
  for (var color = 0u; color < body.membraneColorCount; color++) {
    let first = plan[part(partColors) + color];
    let last = first + countOf(countColors + color);
    for (var e = first + lane; e < last; e += threads) {
      if (sharesMembranes) {
        shareMembrane(e);
      } else {
        sweepMembrane(e);
      }
    }
    wait();
  }
  if (sharesMembranes) { gather(lane, countOf(countSwept)); }
}

// The same; `isAtOnce` tells the elements.
fn sweepBendings(lane: u32) {
  rows = part(partBendingRows);
  allRows = body.bendingRows;
  range.interval = f32(body.bendingInterval);
  for (var color = 0u; color < body.bendingColorCount; color++) {
    let first = plan[part(partColors) + body.membraneColorCount + color];
    let last = first + countOf(countColors + body.membraneColorCount + color);
    for (var e = first + lane; e < last; e += threads) { solveBending(e); }
    wait();
  }
  if (isAtOnce) { gather(lane, countOf(countHeld)); }
}

fn gather(lane: u32, count: u32) {
  for (var p = lane; p < count; p += threads) { takeShares(p); }
  wait();
}

fn pushFaces(lane: u32) {
  for (var face = lane; face < countOf(countFaces); face += threads) { pushFace(face, part(partFacePushes)); }
  wait();
}

fn begin(lane: u32) {
  for (var p = lane; p < countOf(countTaken); p += threads) {
    let q = inBody(p);
    scratch[state + 3u * p] = stateBefore[2u * q];
    scratch[state + 3u * p + 1u] = stateBefore[2u * q + 1u];
    if (chunk.blows != 0u) {
      scratch[state + 3u * p + 2u] = vec4f(airAt(q), 0.0);
    } else {
      scratch[state + 3u * p + 2u] = scratch[q];
    }
  }
}

fn end(lane: u32) {
  for (var p = lane; p < part(partOwned); p += threads) {
    let q = inBody(p);
    stateAfter[2u * q] = startOf(p);
    stateAfter[2u * q + 1u] = velocityOf(p);
    if (chunk.isOpen != 0u) { stateAfter[2u * firstStep.particleCount + q] = displacementOf(p); }
    if (chunk.blows != 0u) { scratch[q] = vec4f(airOf(p), 0.0); }
  }
}

fn stepPatch(lane: u32, which: u32) {
  beginFrame();
  record = plan[which];
  particles = part(partParticles);
  state = part(partState);
  let countsSize = countColors + body.membraneColorCount + body.bendingColorCount;
  counts = part(partCounts) + countsSize * chunk.skipped;
  begin(lane);
  for (var k = 0u; k < chunk.substeps; k++) {
    let substep = chunk.firstSubstep + k;
    beginSubstep(substep);
    counts = part(partCounts) + countsSize * (chunk.skipped + k);
    for (var p = lane; p < countOf(countTaken); p += threads) { predictParticle(p); }
    wait();
    sweepMembranes(lane);
    if (bends) {
      if (substep % body.bendingInterval == 0u) { sweepBendings(lane); }
    }
    if (holds) {
      for (var p = lane; p < countOf(countHeld); p += threads) { holdParticle(p); }
      wait();
    }
    if (chunk.isOpen != 0u && k + 1u == chunk.substeps) { break; }
    if (touches) {
      if (touchesWithFaces) { pushFaces(lane); }
      for (var p = lane; p < countOf(countFinished); p += threads) { touch(p); }
    }
    for (var p = lane; p < countOf(countFinished); p += threads) { finishParticle(p); }
  }
  end(lane);
}
