#import "articulated/batch-model.wgsl"
#import "articulated/rotation-vector.wgsl"

// q̈ = M⁻¹ (τ - c) of a mechanism, (1) of paper 4 without contact. Twin of src/articulated/dynamics. One lane or many share the work of a
// world: a module also imports `articulated/lanes/one.wgsl` or `articulated/lanes/many.wgsl`, which have `lane`, `sync`, `load` and `store`.
// Functions read single fields of `links`, `segments` and `dofs`: some drivers load all of a record that is copied.

@group(0) @binding(0) var<storage, read> links: array<BatchLink>;
@group(0) @binding(1) var<storage, read> segments: array<BatchSegment>;
@group(0) @binding(2) var<storage, read> dofs: array<BatchDof>;
// q, then q̇: degrees of freedom × worlds each; then the impulses of limits and contacts in the last step
@group(0) @binding(3) var<storage, read_write> states: array<f32>;
// forces on the coordinates, then inputs of motors and servos: each × worlds
@group(0) @binding(4) var<storage, read> controls: array<f32>;
// what a world computes on the way
@group(0) @binding(5) var<storage, read_write> scratch: array<f32>;
// numbers that differ from world to world: rows × worlds; the first rows are tables of hulls and of ways
@group(0) @binding(6) var<storage, read> variations: array<f32>;
@group(1) @binding(0) var<uniform> batch: BatchParameters;

// of a link: rotation (9), position (3), twist (6), acceleration and then force (6), inertia and then composite inertia (10)
const LINK_SCRATCH = 34u;
const LINK_POSITION = 9u;
const LINK_TWIST = 12u;
const LINK_FORCE = 18u;
const LINK_INERTIA = 24u;
// of a degree of freedom: S (6), a right-hand side and then its solution (1), and of a part of a step q and q̇ at its start and at its end (4);
// and whether its servo is at a bound (1)
const DOF_SCRATCH = 12u;
const DOF_VALUE = 6u;
const DOF_START = 7u;
const DOF_END = 9u;
const DOF_BOUND = 11u;

struct Spatial {
  angular: vec3f,
  linear: vec3f,
}

// m, m c, and the second moments about the origin: xx, yy, zz; xy, xz, yz
struct SpatialInertia {
  mass: f32,
  moment: vec3f,
  diagonal: vec3f,
  offDiagonal: vec3f,
}

var<private> world: u32;
// [s], of the step or of its parts
var<private> stepTime: f32;
// Positions count from here, near the mechanism, and not from the world's origin: about a point far away, the inertia of a
// link would be lost beside its mass times the square of the distance.
var<private> origin: vec3f;

fn linkAt(i: u32) -> u32 {
  return LINK_SCRATCH * i;
}

fn dofAt(k: u32) -> u32 {
  return LINK_SCRATCH * batch.linkCount + DOF_SCRATCH * k;
}

// The begin in `variations` of the way of a degree of freedom: itself, then those above, nearest first.
fn wayFrom(k: u32) -> u32 {
  return batch.ways + dofs[k].row - dofAt(batch.dofCount);
}

// The bits after the point of a number from 1 to 2, since a conversion to whole numbers takes longer.
fn wayDof(at: u32) -> u32 {
  return bitcast<u32>(variations[at]) & 0x7fffffu;
}

fn load3(slot: u32) -> vec3f {
  return vec3f(load(slot), load(slot + 1u), load(slot + 2u));
}

fn store3(slot: u32, v: vec3f) {
  store(slot, v.x);
  store(slot + 1u, v.y);
  store(slot + 2u, v.z);
}

fn loadSpatial(slot: u32) -> Spatial {
  return Spatial(load3(slot), load3(slot + 3u));
}

fn storeSpatial(slot: u32, s: Spatial) {
  store3(slot, s.angular);
  store3(slot + 3u, s.linear);
}

fn loadInertia(slot: u32) -> SpatialInertia {
  return SpatialInertia(load(slot), load3(slot + 1u), load3(slot + 4u), load3(slot + 7u));
}

fn storeInertia(slot: u32, i: SpatialInertia) {
  store(slot, i.mass);
  store3(slot + 1u, i.moment);
  store3(slot + 4u, i.diagonal);
  store3(slot + 7u, i.offDiagonal);
}

fn positionIndex(k: u32) -> u32 {
  return k * batch.worldCount + world;
}

fn velocityIndex(k: u32) -> u32 {
  return (batch.dofCount + k) * batch.worldCount + world;
}

fn state3(k: u32) -> vec3f {
  return vec3f(states[positionIndex(k)], states[positionIndex(k + 1u)], states[positionIndex(k + 2u)]);
}

fn rate3(k: u32) -> vec3f {
  return vec3f(states[velocityIndex(k)], states[velocityIndex(k + 1u)], states[velocityIndex(k + 2u)]);
}

fn solved3(k: u32) -> vec3f {
  return vec3f(load(dofAt(k) + DOF_VALUE), load(dofAt(k + 1u) + DOF_VALUE), load(dofAt(k + 2u) + DOF_VALUE));
}

fn addSolved3(k: u32, v: vec3f) {
  for (var c = 0u; c < 3u; c++) {
    let at = dofAt(k + c) + DOF_VALUE;
    store(at, load(at) + v[c]);
  }
}

// a row of `variations`, or what the model has
fn varied(first: i32, k: u32, otherwise: f32) -> f32 {
  if (first < 0) { return otherwise; }
  return variations[(u32(first) + k) * batch.worldCount + world];
}

fn gravityHere() -> vec3f {
  let g = batch.gravity;
  return vec3f(varied(batch.gravityRow, 0u, g.x), varied(batch.gravityRow, 1u, g.y), varied(batch.gravityRow, 2u, g.z));
}

fn scaled(s: Spatial, x: f32) -> Spatial {
  return Spatial(x * s.angular, x * s.linear);
}

fn plus(a: Spatial, b: Spatial) -> Spatial {
  return Spatial(a.angular + b.angular, a.linear + b.linear);
}

fn product(a: Spatial, b: Spatial) -> f32 {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}

// a × b for motions
fn crossMotion(v: Spatial, m: Spatial) -> Spatial {
  return Spatial(cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular));
}

// v ×* f for a motion and a force
fn crossForce(v: Spatial, f: Spatial) -> Spatial {
  return Spatial(cross(v.angular, f.angular) + cross(v.linear, f.linear), cross(v.angular, f.linear));
}

fn symmetric(diagonal: vec3f, offDiagonal: vec3f, v: vec3f) -> vec3f {
  return diagonal * v + offDiagonal.xxy * v.yxx + offDiagonal.yzz * v.zzy;
}

fn inertiaTimes(i: SpatialInertia, v: Spatial) -> Spatial {
  return Spatial(
    symmetric(i.diagonal, i.offDiagonal, v.angular) + cross(i.moment, v.linear),
    i.mass * v.linear - cross(i.moment, v.angular),
  );
}

// of a link about the origin
fn inertiaOf(link: BatchLink, scale: f32, r: mat3x3f, p: vec3f) -> SpatialInertia {
  let c = p + r * link.centerOfMass;
  let d = scale * link.inertiaDiagonal;
  let o = scale * link.inertiaOffDiagonal;
  let local = mat3x3f(d.x, o.x, o.y, o.x, d.y, o.z, o.y, o.z, d.z);
  let turned = r * local * transpose(r);
  let m = scale * link.mass;
  return SpatialInertia(
    m,
    m * c,
    vec3f(turned[0][0], turned[1][1], turned[2][2]) + m * (dot(c, c) - c * c),
    vec3f(turned[1][0], turned[2][0], turned[2][1]) - m * c.xxy * c.yzz,
  );
}

// Pose and twist of a link, and its acceleration with coordinates at rest, by those of its parent; S of its joint.
fn placeLink(i: u32, gravity: vec3f) {
  let link = links[i];
  var r = identity3();
  var p = -origin;
  var v = Spatial();
  var a = Spatial(vec3f(0.0), -gravity);
  if (link.parent >= 0) {
    let above = linkAt(u32(link.parent));
    r = mat3x3f(load3(above), load3(above + 3u), load3(above + 6u));
    p = load3(above + LINK_POSITION);
    v = loadSpatial(above + LINK_TWIST);
    a = loadSpatial(above + LINK_FORCE);
  }
  p += r * link.parentPosition;
  r = r * mat3x3f(link.parentX, link.parentY, link.parentZ);
  for (var s = link.firstSegment; s < link.endSegment; s++) {
    let kind = segments[s].kind;
    let k = segments[s].dof;
    if (kind == SEGMENT_ROTATION_VECTOR) {
      let phi = vec3f(states[positionIndex(k)], states[positionIndex(k + 1u)], states[positionIndex(k + 2u)]);
      let rate = vec3f(states[velocityIndex(k)], states[velocityIndex(k + 1u)], states[velocityIndex(k + 2u)]);
      let coefficients = rotationCoefficients(dot(phi, phi));
      let j = r * leftJacobian(phi, coefficients);
      let w = r * (leftJacobianRate(phi, rate, coefficients) * rate);
      for (var column = 0u; column < 3u; column++) {
        storeSpatial(dofAt(k + column), Spatial(j[column], cross(p, j[column])));
      }
      let turn = j * rate;
      let motion = Spatial(turn, cross(p, turn));
      a = plus(a, plus(crossMotion(v, motion), Spatial(w, cross(p, w))));
      v = plus(v, motion);
      r = r * rotationOf(phi, coefficients);
      continue;
    }
    let axis = r * segments[s].axis;
    let value = states[positionIndex(k)];
    var motion = Spatial(vec3f(0.0), axis);
    if (kind != SEGMENT_SLIDE) { motion = Spatial(axis, cross(p, axis) + segments[s].pitch * axis); }
    storeSpatial(dofAt(k), motion);
    let moving = scaled(motion, states[velocityIndex(k)]);
    a = plus(a, crossMotion(v, moving));
    v = plus(v, moving);
    if (kind == SEGMENT_SLIDE) {
      p += value * axis;
    } else {
      p += segments[s].pitch * value * axis;
      let x = crossMatrix(segments[s].axis);
      let turn = sineCosine(value);
      r = r * (identity3() + turn.x * x + (1.0 - turn.y) * (x * x));
    }
  }
  r = r * transpose(mat3x3f(link.childX, link.childY, link.childZ));
  p -= r * link.childPosition;
  let at = linkAt(i);
  store3(at, r[0]);
  store3(at + 3u, r[1]);
  store3(at + 6u, r[2]);
  store3(at + LINK_POSITION, p);
  storeSpatial(at + LINK_TWIST, v);
  storeSpatial(at + LINK_FORCE, a);
  storeInertia(at + LINK_INERTIA, inertiaOf(link, varied(batch.massRow, i, 1.0), r, p));
}

// Poses, S, twists, accelerations of coordinates at rest (less gravity), then forces.
fn forward() {
  let gravity = gravityHere();
  for (var level = 0u; level < partsOf(batch.linkLevels); level++) {
    let part = linkLevel(level);
    for (var n = part.x + lane; n < part.y; n += laneCount()) { placeLink(levelLink(n), gravity); }
    sync();
  }
  for (var i = lane; i < batch.linkCount; i += laneCount()) {
    let at = linkAt(i);
    let v = loadSpatial(at + LINK_TWIST);
    let inertia = loadInertia(at + LINK_INERTIA);
    let force = inertiaTimes(inertia, loadSpatial(at + LINK_FORCE));
    storeSpatial(at + LINK_FORCE, plus(force, crossForce(v, inertiaTimes(inertia, v))));
  }
  sync();
}

// The force of a link and its inertia, with those of the links on it
struct Composite {
  force: Spatial,
  inertia: SpatialInertia,
}

fn compositeOf(i: u32) -> Composite {
  return Composite(loadSpatial(linkAt(i) + LINK_FORCE), loadInertia(linkAt(i) + LINK_INERTIA));
}

// Adds forces and inertias of the links on a link, the last one first.
fn gatherLink(i: u32) -> Composite {
  var whole = compositeOf(i);
  var child = links[i].lastChild;
  if (child < 0) { return whole; }
  for (; child >= 0; child = links[u32(child)].sibling) {
    let own = compositeOf(u32(child));
    whole.force = plus(whole.force, own.force);
    whole.inertia.mass += own.inertia.mass;
    whole.inertia.moment += own.inertia.moment;
    whole.inertia.diagonal += own.inertia.diagonal;
    whole.inertia.offDiagonal += own.inertia.offDiagonal;
  }
  storeSpatial(linkAt(i) + LINK_FORCE, whole.force);
  storeInertia(linkAt(i) + LINK_INERTIA, whole.inertia);
  return whole;
}

// τ - c of the coordinates of a link, and their rows of the mass matrix
fn weighLink(i: u32, whole: Composite) {
  for (var k = links[i].firstDof; k < links[i].endDof; k++) {
    let row = dofs[k].row;
    let depth = dofs[k].depth;
    let motion = loadSpatial(dofAt(k));
    let q = states[positionIndex(k)];
    let drive = driveOf(k);
    let damper = varied(batch.dampingRow, k, dofs[k].damping) - drive.bias.z;
    let passive = dofs[k].stiffness * (q - dofs[k].restPosition) - drive.bias.y * q + damper * states[velocityIndex(k)];
    store(dofAt(k) + DOF_VALUE, controls[positionIndex(k)] + drive.bias.x - product(motion, whole.force) - passive);
    let pushed = inertiaTimes(whole.inertia, motion);
    store(row, product(motion, pushed) + varied(batch.armatureRow, k, dofs[k].armature) + stepTime * damper);
    var above = dofs[k].parent;
    for (var t = 0u; t < depth; t++) {
      store(row + 1u + t, product(loadSpatial(dofAt(u32(above))), pushed));
      above = dofs[u32(above)].parent;
    }
  }
}

// τ - c, and the mass matrix by composite bodies.
fn backward() {
  for (var below = partsOf(batch.linkLevels); below > 0u; below--) {
    let part = linkLevel(below - 1u);
    for (var n = part.x + lane; n < part.y; n += laneCount()) {
      let i = levelLink(part.x + part.y - 1u - n);
      let whole = gatherLink(i);
      // Few lanes gather at a time, and all of them weigh.
      if (laneCount() == 1u) { weighLink(i, whole); }
    }
    sync();
  }
  if (laneCount() == 1u) { return; }
  for (var i = lane; i < batch.linkCount; i += laneCount()) { weighLink(i, compositeOf(i)); }
  sync();
}

// M = Lᵀ D L in place, without fill. Rows of a round are of different trees.
fn factor() {
  for (var round = 0u; round < partsOf(batch.dofRounds); round++) {
    let part = dofRound(round);
    for (var n = part.x + lane / laneWidth(); n < part.y; n += laneCount() / laneWidth()) {
      let k = roundDof(n);
      let row = dofs[k].row;
      let depth = dofs[k].depth;
      let way = wayFrom(k) + 1u;
      var above = k;
      let inverse = 1.0 / load(row);
      for (var t = lane % laneWidth(); t < depth; t += laneWidth()) {
        above = dofAbove(above, way + t);
        let next = dofs[above].row;
        let share = load(row + 1u + t) * inverse;
        for (var s = 0u; s + t < depth; s++) { store(next + s, load(next + s) - share * load(row + 1u + t + s)); }
        // Other lanes may still need what stands there.
        if (laneCount() == 1u) { store(row + 1u + t, share); }
      }
    }
    sync();
  }
  if (laneCount() == 1u) { return; }
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let row = dofs[k].row;
    let inverse = 1.0 / load(row);
    for (var t = 0u; t < dofs[k].depth; t++) { store(row + 1u + t, load(row + 1u + t) * inverse); }
  }
  sync();
}

// DOF_VALUE: from τ to D⁻¹ L⁻ᵀ τ
fn solveUpper() {
  for (var round = 0u; round < partsOf(batch.dofRounds); round++) {
    let part = dofRound(round);
    for (var n = part.x + lane / laneWidth(); n < part.y; n += laneCount() / laneWidth()) {
      let k = roundDof(n);
      let row = dofs[k].row;
      let depth = dofs[k].depth;
      let way = wayFrom(k) + 1u;
      var above = k;
      let value = load(dofAt(k) + DOF_VALUE);
      for (var t = lane % laneWidth(); t < depth; t += laneWidth()) {
        above = dofAbove(above, way + t);
        let at = dofAt(above) + DOF_VALUE;
        store(at, load(at) - load(row + 1u + t) * value);
      }
    }
    sync();
  }
  for (var k = lane; k < batch.dofCount; k += laneCount()) {
    let at = dofAt(k) + DOF_VALUE;
    store(at, load(at) / load(dofs[k].row));
  }
  sync();
}

// DOF_VALUE: x = L⁻¹ y with `sign` −1, and y = L x with +1
fn solveLower(sign: f32) {
  for (var n = 0u; n < partsOf(batch.dofLevels); n++) {
    // L x needs x of those above, and L⁻¹ y their result.
    let part = dofLevel(select(n, partsOf(batch.dofLevels) - 1u - n, sign > 0.0));
    for (var i = part.x + lane; i < part.y; i += laneCount()) {
      let k = levelDof(select(i, part.x + part.y - 1u - i, sign > 0.0));
      let row = dofs[k].row;
      let depth = dofs[k].depth;
      let way = wayFrom(k) + 1u;
      var above = k;
      var value = load(dofAt(k) + DOF_VALUE);
      for (var t = 0u; t < depth; t++) {
        above = dofAbove(above, way + t);
        value += sign * load(row + 1u + t) * load(dofAt(above) + DOF_VALUE);
      }
      store(dofAt(k) + DOF_VALUE, value);
    }
    sync();
  }
}

// q̈ of the state, in the place of the right-hand side
fn accelerate() {
  backward();
  factor();
  solveUpper();
  solveLower(-1.0);
}

// To where the heaviest link was in the last `forward`.
fn moveOrigin() {
  origin += load3(linkAt(batch.referenceLink) + LINK_POSITION);
  sync();
}
