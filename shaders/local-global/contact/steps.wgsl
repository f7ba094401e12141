#import "local-global/contact/projection.wgsl"

// The solve of all contacts as a state machine: in every round there is one product with W, each contact measures its result, sums
// over the contacts decide on the next act, and each contact acts. Twin of contact-solver.ts and group.ts: non-smooth Newton steps,
// each by conjugate residuals with the Jacobi preconditioner, halved if one makes the residual larger; if that does not help,
// projected gradients from the start of the step.
//
// An iteration of conjugate residuals adds up once: |A p|² comes from products with A s, as A p = A s + β A p⁻.

// Stages, by the vector of the product of a round: z, and the next Newton step
const SOLVE_JUDGING = 0u;
// impulses that change by themselves
const SOLVE_FORCED = 1u;
// s of conjugate residuals
const SOLVE_CONJUGATE = 2u;
// z of projected gradients
const SOLVE_PROJECTED = 3u;
// z as it stays
const SOLVE_DONE = 4u;

const ACT_NOT = 0u;
const ACT_START = 1u;
const ACT_LINEARISE = 2u;
const ACT_BEGIN = 3u;
const ACT_CONJUGATE = 4u;
// with a Newton step after that
const ACT_STEP = 5u;
const ACT_RESTORE = 6u;
const ACT_PROJECT = 7u;
// the best that projected gradients have found
const ACT_TAKE_BEST = 8u;
const ACT_FINISH = 9u;
const ACT_HALVE = 10u;

// Halvings of a Newton step that makes the residual larger.
const HALVINGS = 2u;

// A residual of this part of r z is rounding.
const CONTACT_ROUNDING = 1e-6;
// Conjugate residuals end when the square of the residual is this part of the first one.
const LINEAR_ENOUGH = 1e-12;
// Projected gradients in place of a Newton step.
const PROJECTIONS = 24u;
// If that many leave more than the part `CONTACT_PROGRESS` of the residual, more of them would not help either, and the next local
// step changes more: once the residual is the part `CONTACT_GOOD` of r z.
const CONTACT_PROGRESS = 0.7;
const CONTACT_GOOD = 1e-3;

struct ContactSolving {
  stage: u32,
  act: u32,
  newton: u32,
  halvings: u32,
  linear: u32,
  // number of times that z of projected gradients was measured
  projections: u32,
  isBest: u32,
  // residual before the last Newton step; the least of projected gradients, and its value `PROJECTIONS` before
  before: f32,
  best: f32,
  earlier: f32,
  // ω
  share: f32,
  // of conjugate residuals: s A s, (r s)² to end at, A p M⁻¹ A p
  sas: f32,
  enough: f32,
  norm: f32,
  alpha: f32,
  beta: f32,
}

// Before the first round; for every contact.
fn beginContact(n: u32) {
  // free: H u − d without contact forces
  works[n].free = rowPlace(n) - contacts[n].offset;
  multiplyNext(n, contacts[n].z);
}

fn measureContact(n: u32, stage: u32, projections: u32) -> LaneTotals {
  // one call, as some drivers write out every one
  let motion = rowMotion(n);
  if (stage == SOLVE_FORCED) {
    works[n].ap = motion;
  } else if (stage == SOLVE_CONJUGATE) {
    let s = works[n].s;
    let as_ = works[n].engaged * (motion + works[n].compliance * s);
    // A s, until it is known how much of the last direction joins
    works[n].delta = as_;
    let scaled = works[n].inverse * as_;
    let sums = vec4f(dot(s, as_), dot(works[n].residual, s), dot(scaled, as_), dot(scaled, works[n].ap));
    return LaneTotals(sums, vec4f(0.0));
  } else if (stage != SOLVE_DONE) {
    works[n].delta = works[n].free + motion;
    var own = judgeContact(n);
    if (stage == SOLVE_PROJECTED && projections > 0u) {
      own.sums = vec4f(own.sums.xy, measureShare(n, (projections & 1u) == 1u));
    }
    return own;
  }
  return LaneTotals(vec4f(0.0), vec4f(0.0));
}

// Decides on the next act by the sums over all contacts.
fn decide(last: ContactSolving, totals: LaneTotals) -> ContactSolving {
  var next = last;
  next.act = ACT_NOT;
  if (last.stage == SOLVE_JUDGING) {
    decideOnStep(&next, totals.sums.xy);
  } else if (last.stage == SOLVE_FORCED) {
    next.act = ACT_BEGIN;
    next.linear = 0u;
    next.stage = SOLVE_CONJUGATE;
  } else if (last.stage == SOLVE_CONJUGATE) {
    decideOnDirection(&next, totals.sums);
  } else if (last.stage == SOLVE_PROJECTED) {
    decideOnProjection(&next, totals.sums);
  }
  return next;
}

// Writes residuals and the number of steps; called by one invocation.
fn report(last: ContactSolving, next: ContactSolving, totals: LaneTotals) {
  if (last.stage != SOLVE_JUDGING) { return; }
  control.complementarity = totals.most.x;
  control.frictionCone = totals.most.y;
  control.stickingSlip = totals.most.z;
  control.cables = totals.most.w;
  control.error = sqrt(totals.sums.x);
  if (next.stage == SOLVE_DONE) {
    control.steps += next.newton;
    control.projections += next.projections;
  }
}

// Newton steps of an iteration: fewer before the last one, as its result is only intermediate.
fn mostSteps() -> u32 {
  return select((contactStep.newtonIterations + 2u) / 3u, contactStep.newtonIterations, contactStep.isLast == 1u);
}

fn decideOnStep(next: ptr<function, ContactSolving>, sums: vec2f) {
  let error = sqrt(sums.x);
  let hasProjected = (*next).projections > 0u;
  if (contactStep.isGuarded == 1u && !hasProjected && (*next).newton > 0u && !(error < (*next).before)) {
    let isHalved = (*next).halvings < HALVINGS;
    (*next).halvings++;
    (*next).act = select(ACT_RESTORE, ACT_HALVE, isHalved);
    (*next).stage = select(SOLVE_PROJECTED, SOLVE_JUDGING, isHalved);
    return;
  }
  (*next).halvings = 0u;
  (*next).before = error;
  if (hasProjected || (*next).newton == mostSteps() || error <= CONTACT_ROUNDING * sqrt(sums.y)) {
    (*next).act = ACT_FINISH;
    (*next).stage = SOLVE_DONE;
  } else {
    (*next).newton++;
    (*next).act = ACT_LINEARISE;
    (*next).stage = SOLVE_FORCED;
  }
}

// α and β; sums of s A s, r s, A s M⁻¹ A s and A s M⁻¹ A p.
fn decideOnDirection(next: ptr<function, ContactSolving>, sums: vec4f) {
  let isFirst = (*next).linear == 0u;
  if (isFirst) { (*next).enough = LINEAR_ENOUGH * sums.y; }
  let beta = select(sums.x / (*next).sas, 0.0, isFirst);
  let norm = select(sums.z + beta * (2.0 * sums.w + beta * (*next).norm), sums.z, isFirst);
  // what rounding leaves of it is no length
  let isDone = !(sums.x > 1e-30) || (!isFirst && sums.y <= (*next).enough) || !(norm > max(1e-30, 1e-6 * sums.z));
  (*next).beta = beta;
  (*next).alpha = select(sums.x / norm, 0.0, isDone);
  (*next).sas = sums.x;
  (*next).norm = norm;
  (*next).linear++;
  let isLast = isDone || (*next).linear == contactStep.constraintIterations;
  (*next).act = select(ACT_CONJUGATE, ACT_STEP, isLast);
  (*next).stage = select(SOLVE_CONJUGATE, SOLVE_JUDGING, isLast);
}

fn decideOnProjection(next: ptr<function, ContactSolving>, sums: vec4f) {
  let error = sqrt(sums.x);
  let size = sqrt(sums.y);
  let count = (*next).projections;
  let isBest = count == 0u || error < (*next).best;
  (*next).best = select((*next).best, error, isBest);
  (*next).isBest = u32(isBest);
  (*next).share = nextShare(sums.zw);
  (*next).projections = count + 1u;
  let isPiece = count % PROJECTIONS == 0u;
  let isStuck = isPiece && count > 0u && !((*next).best < CONTACT_PROGRESS * (*next).earlier);
  (*next).earlier = select((*next).earlier, (*next).best, isPiece);
  let hasEnded = count == (mostSteps() + 1u - (*next).newton) * PROJECTIONS || (isStuck && (*next).best <= CONTACT_GOOD * size);
  let isLast = hasEnded || (*next).best <= CONTACT_ROUNDING * size;
  (*next).act = select(ACT_PROJECT, ACT_TAKE_BEST, isLast);
  (*next).stage = select(SOLVE_PROJECTED, SOLVE_JUDGING, isLast);
}

fn actContact(n: u32, solving: ContactSolving) {
  let act = solving.act;
  // multiplied with in the next round: by one call
  var next = vec3f(0.0);
  if (act == ACT_LINEARISE) {
    next = linearise(n);
  } else if (act == ACT_BEGIN) {
    next = beginLinear(n);
  } else if (act == ACT_CONJUGATE || act == ACT_STEP) {
    next = goOn(n, solving.alpha, solving.beta);
  } else if (act == ACT_PROJECT) {
    let z = contacts[n].z;
    if (solving.isBest == 1u) { works[n].x = z; }
    let projected = projectContact(n, solving.share);
    works[n].p = z;
    works[n].ap = works[n].delta;
    contacts[n].z = projected;
  } else if (act == ACT_TAKE_BEST) {
    if (solving.isBest == 0u) { contacts[n].z = works[n].x; }
  } else if (act == ACT_RESTORE) {
    contacts[n].z = works[n].before;
  } else if (act == ACT_HALVE) {
    contacts[n].z = 0.5 * (contacts[n].z + works[n].before);
  } else if (act == ACT_FINISH) {
    enterCone(n);
  }
  if (act == ACT_STEP) { takeStep(n); }
  if (act >= ACT_STEP) { next = contacts[n].z; }
  multiplyNext(n, next);
}

// Linearizes the rows of a contact. Returns changes of the impulses of rows that the linear system leaves out.
fn linearise(n: u32) -> vec3f {
  lineariseNormal(n);
  if (contacts[n].kind != KIND_CONTACT) {
    lineariseCable(n);
  } else if (contactStep.isGuarded == 1u) {
    lineariseSliding(n);
  } else {
    lineariseFriction(n);
  }
  return (vec3f(1.0) - works[n].engaged) * works[n].b;
}

// The first s.
fn beginLinear(n: u32) -> vec3f {
  let engaged = works[n].engaged;
  let forced = works[n].ap;
  let inverse = select(vec3f(0.0), 1.0 / (works[n].diagonal + works[n].compliance), engaged > vec3f(0.0));
  let residual = engaged * (works[n].b - forced);
  works[n].inverse = inverse;
  works[n].residual = residual;
  works[n].x = vec3f(0.0);
  works[n].p = vec3f(0.0);
  works[n].ap = vec3f(0.0);
  works[n].s = inverse * residual;
  return inverse * residual;
}

// The next s.
fn goOn(n: u32, alpha: f32, beta: f32) -> vec3f {
  let s = works[n].s;
  if (alpha == 0.0) { return s; }
  let p = s + beta * works[n].p;
  let ap = works[n].delta + beta * works[n].ap;
  works[n].p = p;
  works[n].ap = ap;
  works[n].x += alpha * p;
  works[n].residual -= alpha * ap;
  works[n].s = s - alpha * works[n].inverse * ap;
  return works[n].s;
}

fn takeStep(n: u32) {
  let z = contacts[n].z;
  works[n].before = z;
  var next = z + select(works[n].b, works[n].x, works[n].engaged > vec3f(0.0));
  let pulls = contacts[n].kind == KIND_CABLE || (contacts[n].kind == KIND_CONTACT && contactStep.isGuarded == 1u);
  if (pulls) { next.x = max(0.0, next.x); }
  contacts[n].z = next;
}

// Takes off what the last iteration has left of friction outside of its cone, see contact-solver.ts.
fn enterCone(n: u32) {
  if (contactStep.isGuarded == 0u || contactStep.isLast == 0u) { return; }
  let z = contacts[n].z;
  let force = length(z.yz);
  let limit = contacts[n].friction * z.x;
  if (force > limit) { contacts[n].z = vec3f(z.x, z.yz * (limit / force)); }
}
