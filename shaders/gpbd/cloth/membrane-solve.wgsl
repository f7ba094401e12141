#import "math/symmetric3.wgsl"
#import "gpbd/step-parameters.wgsl"
#import "gpbd/updates.wgsl"
#import "gpbd/cloth/membrane.wgsl"

// Membrane triangles on Green strain s = (E_uu, E_uv, E_vv): equation (19) of paper 1 for k = 3. The importing module
// supplies the density: energyDensity, energyGradient, energyHessian; and `material` and membraneAt.
//
// fu, fv: columns of the deformation gradient F; g: material gradients of the corners' hat functions; w: Δt²/m.
// The Jacobian S has the rows ∂s/∂xₐ = (gₐu fu, ½ (gₐu fv + gₐv fu), gₐv fv). With the three sums
// M = Σ wₐ (gₐu², gₐu gₐv, gₐv²) the products S W Sᵀ and W Sᵀ Δλ need no loop over corners.

override newtonIterations: u32 = 1u;
const lineSearchHalvings = 5u;

fn greenStrain(fu: vec3f, fv: vec3f) -> vec3f {
  return 0.5 * vec3f(dot(fu, fu) - 1.0, dot(fu, fv), dot(fv, fv) - 1.0);
}

// S W S'ᵀ between the rows at (fu, fv) and those at (fu', fv').
fn membraneGram(m: vec3f, fu: vec3f, fv: vec3f, movedFu: vec3f, movedFv: vec3f) -> mat3x3f {
  let uu = dot(fu, movedFu);
  let uv = dot(fu, movedFv);
  let vu = dot(fv, movedFu);
  let vv = dot(fv, movedFv);
  return mat3x3f(
    vec3f(m.x * uu, 0.5 * (m.x * vu + m.y * uu), m.y * vu),
    vec3f(0.5 * (m.x * uv + m.y * uu), 0.25 * (m.x * vv + m.y * (vu + uv) + m.z * uu), 0.5 * (m.y * vv + m.z * vu)),
    vec3f(m.y * uv, 0.5 * (m.y * vv + m.z * uv), m.z * vv),
  );
}

// −(G + G' H G'ᵀ)⁻¹ ∇φ, with H shifted to be positive definite when it is not.
fn membraneNewtonStep(gram: mat3x3f, movedGram: mat3x3f, hessian: mat3x3f, gradient: vec3f, trace: f32) -> vec3f {
  var h = hessian;
  for (var attempt = 0; attempt < 2; attempt++) {
    var a = gram + movedGram * h * transpose(movedGram);
    let shift = 1e-6 * (abs(a[0][0]) + abs(a[1][1]) + abs(a[2][2]) + trace);
    a[0][0] += shift;
    a[1][1] += shift;
    a[2][2] += shift;
    let solved = solvePositiveDefinite3(a, -gradient);
    if (solved.w > 0.0) { return solved.xyz; }
    let lift = max(0.0, -gershgorinBound3(h));
    h[0][0] += lift;
    h[1][1] += lift;
    h[2][2] += lift;
  }
  return -gradient / trace;
}

struct MembraneUpdate {
  // Δd of the corners [m]
  d0: vec3f,
  d1: vec3f,
  d2: vec3f,
}

// u: displacements since the start of the substep; d: tracked displacements; w: Δt²/m, per corner.
fn solveMembrane(
  element: MembraneElement,
  x0: vec3f, x1: vec3f, x2: vec3f,
  u0: vec3f, u1: vec3f, u2: vec3f,
  d0: vec3f, d1: vec3f, d2: vec3f,
  w: vec3f,
) -> MembraneUpdate {
  let inv = element.inverse;
  let gu = vec3f(-inv.x - inv.z, inv.x, inv.z);
  let gv = vec3f(-inv.y - inv.w, inv.y, inv.w);
  let startFu = (x1 - x0) * inv.x + (x2 - x0) * inv.z;
  let startFv = (x1 - x0) * inv.y + (x2 - x0) * inv.w;
  let deltaFu = (u1 - u0) * inv.x + (u2 - u0) * inv.z;
  let deltaFv = (u1 - u0) * inv.y + (u2 - u0) * inv.w;
  let fu = startFu + deltaFu;
  let fv = startFv + deltaFv;
  let m = vec3f(dot(w, gu * gu), dot(w, gu * gv), dot(w, gv * gv));
  let gram = membraneGram(m, fu, fv, fu, fv);
  let trace = gram[0][0] + gram[1][1] + gram[2][2];
  if (!(trace > 0.0)) { return MembraneUpdate(); }
  var b = vec3f(0.0);
  if (range.loadTracked != 0u) {
    let du = gu.x * d0 + gu.y * d1 + gu.z * d2;
    let dv = gv.x * d0 + gv.y * d1 + gv.z * d2;
    b = vec3f(dot(fu, du), 0.5 * (dot(fv, du) + dot(fu, dv)), dot(fv, dv));
  }

  let viscosity = material.damping / step.h;
  let restHessian = energyHessian(vec3f(0.0));
  // s − s⁻ from the displacement alone, free of cancellation.
  let strainChange = vec3f(
    dot(startFu, deltaFu) + 0.5 * dot(deltaFu, deltaFu),
    0.5 * (dot(startFu, deltaFv) + dot(startFv, deltaFu) + dot(deltaFu, deltaFv)),
    dot(startFv, deltaFv) + 0.5 * dot(deltaFv, deltaFv),
  );
  let s0 = greenStrain(fu, fv);
  let startStrain = s0 - strainChange;
  let stiffness = element.area * (restHessian[0][0] + restHessian[2][2]);

  var lambda = vec3f(0.0);
  var qu = vec3f(0.0);
  var qv = vec3f(0.0);
  var s = s0;
  var objective = element.area * (energyDensity(s) + 0.5 * viscosity * dot(strainChange, restHessian * strainChange));
  var movedGram = gram;
  for (var iteration = 0u; iteration < newtonIterations; iteration++) {
    let strainRate = s - startStrain;
    let gradient = b + gram * lambda
      + movedGram * (element.area * (energyGradient(s) + viscosity * (restHessian * strainRate)));
    let hessian = element.area * (energyHessian(s) + viscosity * restHessian);
    let direction = membraneNewtonStep(gram, movedGram, hessian, gradient, trace);
    let slope = dot(gradient, direction);
    if (!(slope < 0.0)) { break; }
    var t = 1.0;
    var accepted = false;
    for (var halving = 0u; halving <= lineSearchHalvings; halving++) {
      let trial = lambda + t * direction;
      let trialQu = trial.x * fu + 0.5 * trial.y * fv;
      let trialQv = 0.5 * trial.y * fu + trial.z * fv;
      let movedFu = fu + m.x * trialQu + m.y * trialQv;
      let movedFv = fv + m.y * trialQu + m.z * trialQv;
      let trialStrain = greenStrain(movedFu, movedFv);
      let change = trialStrain - startStrain;
      let value = dot(b, trial) + 0.5 * dot(trial, gram * trial)
        + element.area * (energyDensity(trialStrain) + 0.5 * viscosity * dot(change, restHessian * change));
      // f32 knows a strain to about 1e-7: differences of energy below that are rounding, not ascent.
      let rounding = 4e-7 * stiffness * (dot(abs(trialStrain) + abs(s), vec3f(1.0)) + 1e-7) * (1.0 + viscosity);
      if (value <= objective + 1e-4 * t * slope + rounding) {
        accepted = true;
        lambda = trial;
        qu = trialQu;
        qv = trialQv;
        s = trialStrain;
        objective = value;
        // Folded away with the override for a single iteration.
        if (newtonIterations > 1u) { movedGram = membraneGram(m, fu, fv, movedFu, movedFv); }
        break;
      }
      t *= 0.5;
    }
    if (!accepted) { break; }
  }
  return MembraneUpdate(
    w.x * (gu.x * qu + gv.x * qv),
    w.y * (gu.y * qu + gv.y * qv),
    w.z * (gu.z * qu + gv.z * qv),
  );
}

fn sweepMembrane(e: u32) {
  let element = membraneAt(e);
  let v = element.vertices;
  let u0 = displacementOf(v.x);
  let u1 = displacementOf(v.y);
  let u2 = displacementOf(v.z);
  let d0 = trackedAt(3u * e);
  let d1 = trackedAt(3u * e + 1u);
  let d2 = trackedAt(3u * e + 2u);
  let w = step.h * step.h * vec3f(u0.w, u1.w, u2.w);
  let update = solveMembrane(
    element, startOf(v.x).xyz, startOf(v.y).xyz, startOf(v.z).xyz, u0.xyz, u1.xyz, u2.xyz, d0, d1, d2, w,
  );
  applyNow(3u * e, v.x, u0, d0, update.d0);
  applyNow(3u * e + 1u, v.y, u1, d1, update.d1);
  applyNow(3u * e + 2u, v.z, u2, d2, update.d2);
}

fn shareMembrane(e: u32) {
  let element = membraneAt(e);
  let v = element.vertices;
  let u0 = displacementOf(v.x);
  let u1 = displacementOf(v.y);
  let u2 = displacementOf(v.z);
  let split = vec3f(valence(v.x), valence(v.y), valence(v.z));
  let d0 = split.x * trackedAt(3u * e);
  let d1 = split.y * trackedAt(3u * e + 1u);
  let d2 = split.z * trackedAt(3u * e + 2u);
  let w = step.h * step.h * split * vec3f(u0.w, u1.w, u2.w);
  let update = solveMembrane(
    element, startOf(v.x).xyz, startOf(v.y).xyz, startOf(v.z).xyz, u0.xyz, u1.xyz, u2.xyz, d0, d1, d2, w,
  );
  applyLater(3u * e, split.x, d0, update.d0);
  applyLater(3u * e + 1u, split.y, d1, update.d1);
  applyLater(3u * e + 2u, split.z, d2, update.d2);
}
