#import "gpbd/step.wgsl"
#import "gpbd/particles.wgsl"
#import "gpbd/hylc/strain.wgsl"
#import "gpbd/hylc/material.wgsl"

// The update of a triangle of HYLC cloth, (19) of paper 1 for k = 6 (section 4.2). The importing module supplies the density,
// hylcJet(s: Vector6) -> HylcJet.

@group(0) @binding(5) var<storage, read> elements: array<HylcElement>;

override newtonIterations: u32 = 1u;

const hylcHalvings = 8u;

// A vector for each vertex
struct HylcVertices {
  // triangle
  v0: vec3f,
  v1: vec3f,
  v2: vec3f,
  // neighbours
  n0: vec3f,
  n1: vec3f,
  n2: vec3f,
}

fn placesOf(x: HylcVertices) -> HylcPlaces {
  return HylcPlaces(x.v1 - x.v0, x.v2 - x.v0, x.n0 - x.v0, x.n1 - x.v0, x.n2 - x.v0);
}

fn addPlaces(a: HylcPlaces, b: HylcPlaces) -> HylcPlaces {
  return HylcPlaces(a.p1 + b.p1, a.p2 + b.p2, a.q0 + b.q0, a.q1 + b.q1, a.q2 + b.q2);
}

// S d
fn hylcProject(j: HylcJacobian, weights: mat3x3f, d: HylcVertices) -> Vector6 {
  let hinges = d.v0 * j.hinge0 + d.v1 * j.hinge1 + d.v2 * j.hinge2
    + vec3f(dot(d.n0, j.across[0]), dot(d.n1, j.across[1]), dot(d.n2, j.across[2]));
  return Vector6(d.v0 * j.inPlane0 + d.v1 * j.inPlane1 + d.v2 * j.inPlane2, weights * hinges);
}

// Δd = W Sᵀ Δλ (18); what is across from two edges is moved by both
fn hylcMove(
  j: HylcJacobian, weights: mat3x3f, alike: mat3x3f, w: vec3f, wAcross: vec3f, lambda: Vector6,
) -> HylcVertices {
  let hinge = lambda.shear * weights;
  let across = mat3x3f(hinge.x * j.across[0], hinge.y * j.across[1], hinge.z * j.across[2]) * alike;
  return HylcVertices(
    w.x * (j.inPlane0 * lambda.normal + j.hinge0 * hinge),
    w.y * (j.inPlane1 * lambda.normal + j.hinge1 * hinge),
    w.z * (j.inPlane2 * lambda.normal + j.hinge2 * hinge),
    wAcross.x * across[0],
    wAcross.y * across[1],
    wAcross.z * across[2],
  );
}

fn dampingPotential(change: Vector6) -> f32 {
  return dot(material.stiffness * change.normal, change.normal) + dot(material.bendStiffness * change.shear, change.shear);
}

// x, u, d: positions at the start of the substep, displacements since, tracked displacements. Every pass of the loop looks at
// the element somewhere: at the start of the substep for the damping, as it is, then along the line of a Newton step. The
// density is long, and this way it is compiled once.
fn solveHylc(
  element: HylcElement, x: HylcVertices, u: HylcVertices, d: HylcVertices, w: vec3f, wAcross: vec3f,
) -> HylcVertices {
  let weights = hylcWeights(element);
  let alike = hylcAlike(element.places);
  let startPlaces = placesOf(x);
  let places = addPlaces(startPlaces, placesOf(u));
  let viscosity = material.damping / step.h;
  var jacobian: HylcJacobian;
  var gram: Symmetric6;
  var inertia: Vector6;
  var b: Vector6;
  var trace = 0.0;
  var before: Vector6;
  var lambda: Vector6;
  var trial: Vector6;
  var direction: Vector6;
  var slope = 0.0;
  var t = 1.0;
  var objective = 0.0;
  var halving = 0u;
  var iteration = 0u;
  // without damping the start is of no interest
  let first = select(1u, 0u, viscosity > 0.0);
  for (var look = first; look < 2u + newtonIterations * hylcHalvings; look++) {
    var now = startPlaces;
    if (look == 1u) {
      now = places;
    } else if (look > 1u) {
      now = addPlaces(places, placesOf(hylcMove(jacobian, weights, alike, w, wAcross, trial)));
    }
    let shape = hylcShape(element, now);
    if (look == 0u) {
      before = shape.s;
      continue;
    }
    let jet = hylcJet(shape.s);
    var change = add6(shape.s, -1.0, before);
    var value = element.area * (jet.value + 0.5 * viscosity * dampingPotential(change));
    if (look == 1u) {
      jacobian = shape.jacobian;
    } else {
      value += dot6(b, trial) + 0.5 * dot6(trial, multiply6(gram, trial));
      // Differences of energy below the rounding of f32 are no ascent.
      if (!(value <= objective + 1e-4 * t * slope + 1e-6 * (abs(value) + abs(objective)))) {
        halving++;
        if (halving >= hylcHalvings) { break; }
        t *= 0.5;
        trial = add6(lambda, t, direction);
        continue;
      }
    }
    lambda = trial;
    objective = value;
    if (iteration >= newtonIterations) { break; }
    let moved = hylcGram(jacobian, shape.jacobian, weights, alike, w, wAcross);
    if (look == 1u) {
      gram = Symmetric6(moved.nn, moved.ns, moved.ss);
      let diagonal = diagonal6(gram);
      trace = dot(diagonal.normal + diagonal.shear, vec3f(1.0));
      if (!(trace > 0.0)) { break; }
      inertia = Vector6(max(diagonal.normal, vec3f(1e-6 * trace)), max(diagonal.shear, vec3f(1e-6 * trace)));
      if (range.loadTracked != 0u) { b = hylcProject(jacobian, weights, d); }
    }
    let stress = Vector6(
      jet.gradient.normal + viscosity * material.stiffness * change.normal,
      jet.gradient.shear + viscosity * material.bendStiffness * change.shear,
    );
    var curvature = jet.hessian;
    for (var i = 0u; i < 3u; i++) {
      curvature.nn[i][i] += viscosity * material.stiffness[i];
      curvature.ss[i][i] += viscosity * material.bendStiffness[i];
    }
    let gradient = add6(add6(b, 1.0, multiply6(gram, lambda)), element.area, timesGram(moved, stress));
    var hessian = addMatrix6(gram, element.area, transformed(moved, curvature));
    // Edges without neighbours leave directions of λ that move nothing.
    let own = diagonal6(hessian);
    let share = select(2e-6, 1e-7, all(hylcPlaces(element.places) != vec3u(0u)));
    for (var i = 0u; i < 3u; i++) {
      hessian.nn[i][i] += 1e-7 * trace + share * abs(own.normal[i]);
      hessian.ss[i][i] += 1e-7 * trace + share * abs(own.shear[i]);
    }
    direction = newtonStep6(hessian, gradient, inertia);
    slope = dot6(gradient, direction);
    if (!(slope < 0.0)) { break; }
    iteration++;
    halving = 0u;
    t = 1.0;
    trial = add6(lambda, 1.0, direction);
  }
  return hylcMove(jacobian, weights, alike, w, wAcross, lambda);
}

@compute @workgroup_size(64)
fn gaussSeidel(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= range.count) { return; }
  let e = range.first + id.x;
  let element = elements[e];
  let v = element.corners;
  let n = element.neighbours;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[n.x];
  let u4 = displacement[n.y];
  let u5 = displacement[n.z];
  let at = 6u * e;
  let across = at + hylcPlaces(element.places);
  let d = HylcVertices(
    trackedAt(at), trackedAt(at + 1u), trackedAt(at + 2u), trackedAt(across.x), trackedAt(across.y), trackedAt(across.z),
  );
  let h2 = step.h * step.h;
  let x = HylcVertices(
    start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[n.x].xyz, start[n.y].xyz, start[n.z].xyz,
  );
  let u = HylcVertices(u0.xyz, u1.xyz, u2.xyz, u3.xyz, u4.xyz, u5.xyz);
  let update = solveHylc(element, x, u, d, h2 * vec3f(u0.w, u1.w, u2.w), h2 * vec3f(u3.w, u4.w, u5.w));
  applyNow(at, v.x, u0, d.v0, update.v0);
  applyNow(at + 1u, v.y, u1, d.v1, update.v1);
  applyNow(at + 2u, v.z, u2, d.v2, update.v2);
  // A vertex across from two edges is written twice, with the same numbers.
  if (across.x != at) { applyNow(across.x, n.x, u3, d.n0, update.n0); }
  if (across.y != at) { applyNow(across.y, n.y, u4, d.n1, update.n1); }
  if (across.z != at) { applyNow(across.z, n.z, u5, d.n2, update.n2); }
}

@compute @workgroup_size(64)
fn jacobi(@builtin(global_invocation_id) id: vec3u) {
  let e = id.x;
  if (e >= range.count) { return; }
  let element = elements[e];
  let v = element.corners;
  let n = element.neighbours;
  let u0 = displacement[v.x];
  let u1 = displacement[v.y];
  let u2 = displacement[v.z];
  let u3 = displacement[n.x];
  let u4 = displacement[n.y];
  let u5 = displacement[n.z];
  let split = vec3f(valence(v.x), valence(v.y), valence(v.z));
  let splitAcross = vec3f(valence(n.x), valence(n.y), valence(n.z));
  let at = 6u * e;
  let across = at + hylcPlaces(element.places);
  let d = HylcVertices(
    split.x * trackedAt(at),
    split.y * trackedAt(at + 1u),
    split.z * trackedAt(at + 2u),
    splitAcross.x * trackedAt(across.x),
    splitAcross.y * trackedAt(across.y),
    splitAcross.z * trackedAt(across.z),
  );
  let h2 = step.h * step.h;
  let x = HylcVertices(
    start[v.x].xyz, start[v.y].xyz, start[v.z].xyz, start[n.x].xyz, start[n.y].xyz, start[n.z].xyz,
  );
  let u = HylcVertices(u0.xyz, u1.xyz, u2.xyz, u3.xyz, u4.xyz, u5.xyz);
  let update = solveHylc(
    element, x, u, d, h2 * split * vec3f(u0.w, u1.w, u2.w), h2 * splitAcross * vec3f(u3.w, u4.w, u5.w),
  );
  applyLater(at, split.x, d.v0, update.v0);
  applyLater(at + 1u, split.y, d.v1, update.v1);
  applyLater(at + 2u, split.z, d.v2, update.v2);
  if (across.x != at) { applyLater(across.x, splitAcross.x, d.n0, update.n0); }
  if (across.y != at) { applyLater(across.y, splitAcross.y, d.n1, update.n1); }
  if (across.z != at) { applyLater(across.z, splitAcross.z, d.n2, update.n2); }
}
