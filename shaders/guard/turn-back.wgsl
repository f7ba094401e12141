#import "gpbd/step.wgsl"
#import "collision/contact/sweep.wgsl"
#import "guard/guard-state.wgsl"
#import "math/svd3.wgsl"
#import "math/factor3.wgsl"
#import "solids/flat-stretch.wgsl"
#import "solids/tet-element.wgsl"

// Elements that are still inside out at the end of a frame come back there: turn-back.ts, the twin, has the idea and the formulas. One workgroup sweeps over
// the linear tetrahedra of a term, color after color, after settleGuard of a body that steps by itself, and takes the particles there.

// Sweeps over all elements, at most.
const TURN_SWEEPS = 20u;
// Most rounds of that with what `land` does: obstacles may press flat again what was turned back, and each round lifts it by more.
const TURN_ROUNDS = 4u;
// A principal stretch beyond that, of a body that nothing holds and that is inside out somewhere, is no stretch any more.
const LARGEST_STRETCH = 3.0;
// Closer bounds, in all sweeps but the first and the last NEAR_SWEEPS.
const SMALLEST_NEAR = 0.6;
const LARGEST_NEAR = 1.5;
const NEAR_SWEEPS = 5u;

// Of a term. Bodies with more than one take a dispatch a round, or turned elements of one would not see those of the next.
override rounds: u32 = TURN_ROUNDS;

// x [m]
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
// w: not 0 of what is held or carried, see finish.wgsl
@group(0) @binding(1) var<storage, read_write> velocity: array<vec4f>;
// see finish.wgsl
@group(0) @binding(2) var<storage, read_write> clearance: array<f32>;
// A stage may have eight storage buffers.
@group(0) @binding(3) var<uniform> guard: GuardState;
// how far particles are turned back [m]; w: as in the last substep, a multiple of the inverse mass, 0 of what is held
@group(0) @binding(4) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(5) var<uniform> frozenAt: u32;
@group(0) @binding(6) var<storage, read> elements: array<TetElement>;
// the first element of each color, and their number
@group(0) @binding(7) var<storage, read> colors: array<u32>;

const turnLanes = 64u;

// whether the last sweep moved anything
var<workgroup> isOn: u32;
var<workgroup> isHeld: atomic<u32>;
var<workgroup> moved: atomic<u32>;

// Inverse mass in units that do not matter, 0 of what is held.
fn inverseOf(p: u32) -> f32 {
  return select(displacement[p].w, 0.0, velocity[p].w != 0.0);
}

fn inverted3(a: mat3x3f) -> Factor3 {
  let lift = 1e-6 * (a[0][0] + a[1][1] + a[2][2]);
  return factor3(a + mat3x3f(lift, 0.0, 0.0, 0.0, lift, 0.0, 0.0, 0.0, lift));
}

fn outer3(a: vec3f, b: vec3f) -> mat3x3f {
  return mat3x3f(b.x * a, b.y * a, b.z * a);
}

// m (r² − r rᵀ)
fn inertiaOf(mass: f32, r: vec3f) -> mat3x3f {
  let square = dot(r, r);
  return mass * (mat3x3f(square, 0.0, 0.0, 0.0, square, 0.0, 0.0, 0.0, square) - outer3(r, r));
}

fn placeOf(p: u32) -> vec3f {
  return start[p].xyz + displacement[p].xyz;
}

fn turn(e: TetElement, smallest: f32, largest: f32) -> bool {
  let v = e.vertices;
  let x0 = placeOf(v.x);
  let r = mat4x3f(vec3f(0.0), placeOf(v.y) - x0, placeOf(v.z) - x0, placeOf(v.w) - x0);
  let f = mat3x3f(r[1], r[2], r[3]) * transpose(mat3x3f(e.g1, e.g2, e.g3));
  let size = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
  if (size <= largest * largest && 2.0 * determinant(f) >= smallest * size && size > 0.0) {
    return false;
  }
  let parts = svd3(f);
  if (parts.sigma.z >= 0.98 * smallest && parts.sigma.x <= 1.02 * largest) {
    return false;
  }
  let rise = clamp(parts.sigma, vec3f(smallest), vec3f(largest)) - parts.sigma;
  let change = mat3x3f(rise.x * parts.u[0], rise.y * parts.u[1], rise.z * parts.u[2]) * transpose(parts.v);
  let w = vec4f(inverseOf(v.x), inverseOf(v.y), inverseOf(v.z), inverseOf(v.w));
  let g0 = -e.g1 - e.g2 - e.g3;
  let m = w.x * outer3(g0, g0) + w.y * outer3(e.g1, e.g1) + w.z * outer3(e.g2, e.g2) + w.w * outer3(e.g3, e.g3);
  if (!(m[0][0] + m[1][1] + m[2][2] > 0.0)) {
    return false;
  }
  let factor = inverted3(m);
  let rows = transpose(change);
  let along = transpose(mat3x3f(solveFactor3(factor, rows[0]), solveFactor3(factor, rows[1]), solveFactor3(factor, rows[2])));
  let way = mat4x3f(w.x * (along * g0), w.y * (along * e.g1), w.z * (along * e.g2), w.w * (along * e.g3));
  shift(v.x, way[0]);
  shift(v.y, way[1]);
  shift(v.z, way[2]);
  shift(v.w, way[3]);
  if (min(min(w.x, w.y), min(w.z, w.w)) > 0.0) {
    moveOn(v, 1.0 / w, r, r + way);
  }
  return true;
}

fn shift(p: u32, way: vec3f) {
  displacement[p] += vec4f(way, 0.0);
}

// The element, which was at r and is at q, moves on as a rigid body.
fn moveOn(p: vec4u, mass: vec4f, r: mat4x3f, q: mat4x3f) {
  let share = mass / dot(mass, vec4f(1.0));
  let v = mat4x3f(velocity[p.x].xyz, velocity[p.y].xyz, velocity[p.z].xyz, velocity[p.w].xyz);
  let centre = r * share;
  let mean = v * share;
  let a = r - mat4x3f(centre, centre, centre, centre);
  let b = q - mat4x3f(centre, centre, centre, centre);
  let u = v - mat4x3f(mean, mean, mean, mean);
  let momentum = mass.x * cross(a[0], u[0]) + mass.y * cross(a[1], u[1]) + mass.z * cross(a[2], u[2]) + mass.w * cross(a[3], u[3]);
  let energy = dot(mass, vec4f(dot(u[0], u[0]), dot(u[1], u[1]), dot(u[2], u[2]), dot(u[3], u[3])));
  let inertia = inertiaOf(mass.x, b[0]) + inertiaOf(mass.y, b[1]) + inertiaOf(mass.z, b[2]) + inertiaOf(mass.w, b[3]);
  var spin = solveFactor3(inverted3(inertia), momentum);
  let wanted = dot(spin, momentum);
  if (wanted > energy) {
    spin *= sqrt(energy / wanted);
  }
  velocity[p.x] = vec4f(mean + cross(spin, b[0]), 0.0);
  velocity[p.y] = vec4f(mean + cross(spin, b[1]), 0.0);
  velocity[p.z] = vec4f(mean + cross(spin, b[2]), 0.0);
  velocity[p.w] = vec4f(mean + cross(spin, b[3]), 0.0);
}

// As in turn-back.ts
const LANDINGS = 2u;

// Obstacles stay in the way of what is turned back.
fn land(p: u32) {
  var u = displacement[p].xyz;
  if (all(u == vec3f(0.0))) {
    return;
  }
  let origin = start[p];
  for (var k = 0u; k < LANDINGS * step.colliderCount; k++) {
    let found = sweepContact(k % step.colliderCount, origin.xyz, u, step.thickness, 1.0, 1.0, false);
    u += found.push * found.normal;
  }
  start[p] = vec4f(origin.xyz + u, origin.w);
  clearance[p] -= length(u);
}

// Returns whether anything was out of bounds.
fn sweepOver(lane: u32, isFree: bool) -> bool {
  let count = arrayLength(&colors) - 1u;
  var isOut = false;
  for (var sweep = 0u; sweep < TURN_SWEEPS; sweep++) {
    let isNear = sweep >= NEAR_SWEEPS && sweep < TURN_SWEEPS - NEAR_SWEEPS;
    let smallest = select(FLAT_STRETCH, SMALLEST_NEAR, isNear);
    let largest = select(1e18, select(LARGEST_STRETCH, LARGEST_NEAR, isNear), isFree);
    for (var color = 0u; color < count; color++) {
      for (var e = colors[color] + lane; e < colors[color + 1u]; e += turnLanes) {
        if (turn(elements[e], smallest, largest)) {
          atomicStore(&moved, 1u);
        }
      }
      storageBarrier();
    }
    workgroupBarrier();
    if (lane == 0u) {
      isOn = atomicExchange(&moved, 0u);
    }
    if (workgroupUniformLoad(&isOn) == 0u) {
      break;
    }
    isOut = true;
  }
  return isOut;
}

@compute @workgroup_size(64)
fn turnBack(@builtin(local_invocation_index) lane: u32) {
  if (!(guard.budget < NO_BUDGET && frozenAt == 0xffffffffu && guard.stored >= NO_BUDGET)) {
    return;
  }
  for (var p = lane; p < step.particleCount; p += turnLanes) {
    if (inverseOf(p) == 0.0) {
      atomicStore(&isHeld, 1u);
    }
  }
  workgroupBarrier();
  let isFree = atomicLoad(&isHeld) == 0u;
  for (var round = 0u; round < rounds; round++) {
    for (var p = lane; p < step.particleCount; p += turnLanes) {
      displacement[p] = vec4f(vec3f(0.0), displacement[p].w);
    }
    storageBarrier();
    if (!sweepOver(lane, isFree)) {
      break;
    }
    for (var p = lane; p < step.particleCount; p += turnLanes) {
      land(p);
    }
    storageBarrier();
  }
}
