#import "fused/pairs/turn-state.wgsl"
#import "gpbd/stages/predict.wgsl"

// The stages of turns.wgsl in two dispatches, where few particles have pairs: one workgroup takes all of these from stage to stage. A particle
// without pairs looks at nothing but itself. The bits are the same.

// see boxes.wgsl
@group(0) @binding(20) var<storage, read> topology: array<u32>;

// see predict.wgsl
@group(0) @binding(21) var<storage, read> particleAir: array<vec4f>;

// projections, an even number
override rounds: u32 = 4u;
// whether the next turn begins where this one ends, and nothing looks for the particles elsewhere before
override closes: bool = false;

// Lanes of the first workgroup, which has all particles with pairs.
const FEW_LANES = 256u;
const mostListed = 1024u;
const NOBODY = 0xffffffffu;

// see bounds.wgsl
var<workgroup> commonMotion: array<vec4f, 1>;
var<workgroup> sums: array<vec3f, FEW_LANES>;
var<workgroup> listed: array<u32, mostListed>;
var<workgroup> listedCount: atomic<u32>;
var<workgroup> pairedCount: u32;

// Displacements are in the state alone, in a half of their list, or where contact with obstacles was.
const IN_STATE = 0u;
const IN_FIRST = 1u;
const IN_SECOND = 2u;
const IN_CONTACT = 3u;
var<private> place: u32;

fn shiftOf(p: u32) -> vec4f {
  switch place {
    case IN_STATE: {
      return vec4f(turned(p), displacementOf(p).w);
    }
    case IN_CONTACT: {
      return contactOf(p);
    }
    default: {
      return surfaceShift[select(p, surface.particleCount + p, place == IN_SECOND)];
    }
  }
}

fn airOf(p: u32) -> vec3f {
  return particleAir[p].xyz;
}

// Before a search, which looks at the displacements of a substep.
@compute @workgroup_size(64)
fn predictTurn(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p < surface.particleCount) {
    predictParticle(p);
    surfaceStart[p] = startOf(p);
    surfaceShift[p] = displacementOf(p);
  }
}

fn isPaired(p: u32) -> bool {
  return rows[2u * p] < rows[2u * p + 1u];
}

// Returns how many places of `pairedAt` there are: of a list, or, where it has no room, of all particles.
fn listPaired(lane: u32) -> u32 {
  for (var p = lane; p < surface.particleCount; p += FEW_LANES) {
    if (isPaired(p)) {
      let k = atomicAdd(&listedCount, 1u);
      if (k < mostListed) {
        listed[k] = p;
      }
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let count = atomicLoad(&listedCount);
    pairedCount = select(count, surface.particleCount, count > mostListed);
  }
  return workgroupUniformLoad(&pairedCount);
}

fn pairedAt(k: u32) -> u32 {
  if (pairedCount <= mostListed) {
    return listed[k];
  }
  return select(NOBODY, k, isPaired(k));
}

// Of a particle in the workgroup after the first.
fn unpaired(group: u32, lane: u32) -> u32 {
  let p = FEW_LANES * (group - 1u) + lane;
  return select(NOBODY, p, p < surface.particleCount && !isPaired(min(p, surface.particleCount - 1u)));
}

@compute @workgroup_size(FEW_LANES)
fn projectTurn(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (group.x > 0u) {
    let p = unpaired(group.x, lane);
    if (p != NOBODY) {
      setContact(p, vec4f(0.0));
      for (var round = 0u; round < rounds; round++) {
        touch(p);
      }
      surfaceShift[p] = vec4f(turned(p), displacementOf(p).w);
    }
    return;
  }
  let count = listPaired(lane);
  place = IN_STATE;
  for (var k = lane; k < count; k += FEW_LANES) {
    let p = pairedAt(k);
    if (p != NOBODY) {
      findLoad(p, true);
      surfaceShift[p] = shiftOf(p);
      setContact(p, vec4f(0.0));
    }
  }
  for (var round = 0u; round < rounds; round++) {
    storageBarrier();
    let isBack = (round & 1u) == 1u;
    place = select(IN_FIRST, IN_SECOND, isBack);
    if (round > 0u) {
      for (var k = lane; k < count; k += FEW_LANES) {
        let p = pairedAt(k);
        if (p != NOBODY) {
          findLoad(p, false);
        }
      }
      storageBarrier();
    }
    for (var k = lane; k < count; k += FEW_LANES) {
      let p = pairedAt(k);
      if (p != NOBODY) {
        giveTurn(p, pushed(p));
        touch(p);
        surfaceShift[select(surface.particleCount + p, p, isBack)] = vec4f(turned(p), displacementOf(p).w);
      }
    }
  }
}

// As meanMotion in boxes.wgsl.
fn findMotion(lane: u32) {
  var sum = vec3f(0.0);
  for (var k = lane; k < surface.vertexCount; k += FEW_LANES) {
    sum += surfaceShift[topology[k]].xyz;
  }
  sums[lane] = sum;
  for (var half = FEW_LANES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      sums[lane] += sums[lane + half];
    }
  }
  if (lane == 0u) {
    commonMotion[0] = vec4f(sums[0] / f32(max(1u, surface.vertexCount)), 0.0);
  }
  workgroupBarrier();
}

fn slide(p: u32) -> vec4f {
  let least = tightestOf(p);
  let u = shiftOf(p);
  if (least.share < 1.0) {
    return vec4f(slid(u.xyz, least.share, least.pair), u.w);
  }
  return u;
}

// No pin gives.
fn close(p: u32) {
  if (closes) {
    let u = displacementOf(p).xyz;
    if (isSound(p, u)) {
      goOn(p, u, u / step.h);
    }
    surfaceStart[p] = startOf(p);
  }
}

@compute @workgroup_size(FEW_LANES)
fn endTurn(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  findMotion(lane);
  place = IN_FIRST;
  if (group.x > 0u) {
    let p = unpaired(group.x, lane);
    if (p != NOBODY) {
      giveTurn(p, limited(p, shiftOf(p).xyz, 1.0));
      close(p);
    }
    return;
  }
  // Others still read the first half.
  let count = listPaired(lane);
  for (var k = lane; k < count; k += FEW_LANES) {
    let p = pairedAt(k);
    if (p != NOBODY) {
      setContact(p, slide(p));
    }
  }
  storageBarrier();
  place = IN_CONTACT;
  for (var k = lane; k < count; k += FEW_LANES) {
    let p = pairedAt(k);
    if (p != NOBODY) {
      surfaceShift[surface.particleCount + p] = slide(p);
    }
  }
  storageBarrier();
  place = IN_SECOND;
  for (var k = lane; k < count; k += FEW_LANES) {
    let p = pairedAt(k);
    if (p != NOBODY) {
      giveTurn(p, limited(p, shiftOf(p).xyz, tightestOf(p).share));
    }
  }
  storageBarrier();
  for (var k = lane; k < count; k += FEW_LANES) {
    let p = pairedAt(k);
    if (p != NOBODY) {
      close(p);
    }
  }
}
