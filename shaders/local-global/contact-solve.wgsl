#import "local-global/contact-sweeps.wgsl"

// The contacts of a local-global iteration (22), all in one workgroup and one dispatch: non-smooth Newton steps, each by conjugate
// residuals with the Jacobi preconditioner, guarded as in group.ts. Twin of contact-solver.ts.
//
// Drivers that inline every call write out a function once for each place that calls it. The product with W is by far the
// largest, so the stages share one loop with one call; what a stage wants to have multiplied is in `works.force`.

// z: how good it is, and the next Newton step
const SOLVE_JUDGING = 0u;
// impulses that change by themselves
const SOLVE_FORCED = 1u;
// s of conjugate residuals
const SOLVE_CONJUGATE = 2u;
// z, for sweeps to go on from
const SOLVE_SPREADING = 3u;
// z as it stays
const SOLVE_DONE = 4u;

// Sweeps in place of a Newton step.
const CONTACT_SWEEPS = 8u;
// A residual of this part of r z is rounding.
const CONTACT_ROUNDING = 1e-6;
// Where neither a Newton step nor sweeps leave less than this part of the residual, more of them would not either, and the next
// local step changes more: once it is this part of r z.
const CONTACT_PROGRESS = 0.7;
const CONTACT_GOOD = 1e-3;
// Conjugate residuals end where the square of the residual is this part of the first one.
const LINEAR_ENOUGH = 1e-12;

var<workgroup> sharedCounts: vec3u;

@compute @workgroup_size(LANES)
fn solveContacts(@builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    sharedCounts = vec3u(control.count, control.touched, control.isStored);
  }
  let counts = workgroupUniformLoad(&sharedCounts);
  let count = counts.x;
  if (count == 0u) {
    return;
  }
  // free: H u − d without contact forces
  for (var n = lane; n < count; n += LANES) {
    works[n].free = rowPlace(n) - contacts[n].offset;
    multiplyNext(n, contacts[n].z);
  }
  storageBarrier();
  let most = select((contactStep.newtonIterations + 2u) / 3u, contactStep.newtonIterations, contactStep.isLast == 1u);
  var stage = SOLVE_JUDGING;
  var newton = 0u;
  var linear = 0u;
  var sweeps = 0u;
  var hasSwept = false;
  var isFirst = true;
  var before = 0.0;
  var sas = 0.0;
  var enough = 0.0;
  loop {
    respond(lane, counts.y, counts.z == 1u);
    if (stage == SOLVE_DONE) {
      break;
    }
    if (stage == SOLVE_JUDGING) {
      let now = judge(lane, count);
      let error = sqrt(now.sums.x);
      if (contactStep.isGuarded == 1u && !isFirst && !hasSwept && !(error < before)) {
        for (var n = lane; n < count; n += LANES) {
          contacts[n].z = works[n].before;
          multiplyNext(n, contacts[n].z);
        }
        stage = SOLVE_SPREADING;
      } else {
        let size = sqrt(now.sums.y);
        let isStuck = hasSwept && !(error < CONTACT_PROGRESS * before) && error <= CONTACT_GOOD * size;
        isFirst = false;
        hasSwept = false;
        before = error;
        if (isStuck || newton == most || error <= CONTACT_ROUNDING * size) {
          for (var n = lane; n < count; n += LANES) {
            enterCone(n);
            multiplyNext(n, contacts[n].z);
          }
          stage = SOLVE_DONE;
        } else {
          newton++;
          for (var n = lane; n < count; n += LANES) {
            linearise(n);
          }
          stage = SOLVE_FORCED;
        }
      }
    } else if (stage == SOLVE_FORCED) {
      for (var n = lane; n < count; n += LANES) {
        beginLinear(n);
      }
      linear = 0u;
      stage = SOLVE_CONJUGATE;
    } else if (stage == SOLVE_CONJUGATE) {
      var sums = vec2f(0.0);
      for (var n = lane; n < count; n += LANES) {
        let s = works[n].s;
        let as_ = works[n].engaged * (rowMotion(n) + works[n].compliance * s);
        // A s, until it is known how much of the last direction joins
        works[n].delta = as_;
        sums += vec2f(dot(s, as_), dot(works[n].residual, s));
      }
      let next = total(lane, sums, vec4f(0.0)).sums;
      if (linear == 0u) {
        enough = LINEAR_ENOUGH * next.y;
      }
      var isDone = !(next.x > 1e-30) || (linear > 0u && next.y <= enough);
      if (!isDone) {
        let beta = select(0.0, next.x / sas, linear > 0u);
        sas = next.x;
        var norm = 0.0;
        for (var n = lane; n < count; n += LANES) {
          let p = works[n].s + beta * works[n].p;
          let ap = works[n].delta + beta * works[n].ap;
          works[n].p = p;
          works[n].ap = ap;
          norm += dot(ap, works[n].inverse * ap);
        }
        let length2 = total(lane, vec2f(norm, 0.0), vec4f(0.0)).sums.x;
        isDone = !(length2 > 1e-30);
        let alpha = select(sas / length2, 0.0, isDone);
        for (var n = lane; n < count; n += LANES) {
          works[n].x += alpha * works[n].p;
          works[n].residual -= alpha * works[n].ap;
          works[n].s -= alpha * works[n].inverse * works[n].ap;
          multiplyNext(n, works[n].s);
        }
        linear++;
      }
      if (isDone || linear == contactStep.constraintIterations) {
        for (var n = lane; n < count; n += LANES) {
          takeStep(n);
          multiplyNext(n, contacts[n].z);
        }
        stage = SOLVE_JUDGING;
      }
    } else {
      // columns of W are at hand only where G is
      if (counts.z == 1u) {
        sweepContacts(lane, count, CONTACT_SWEEPS);
      }
      storageBarrier();
      for (var n = lane; n < count; n += LANES) {
        multiplyNext(n, contacts[n].z);
      }
      sweeps += CONTACT_SWEEPS;
      hasSwept = true;
      stage = SOLVE_JUDGING;
    }
    storageBarrier();
  }
  if (lane == 0u) {
    control.steps += newton;
    control.sweeps += sweeps;
  }
}

fn judge(lane: u32, count: u32) -> LaneTotals {
  var sums = vec2f(0.0);
  var most = vec4f(0.0);
  for (var n = lane; n < count; n += LANES) {
    works[n].delta = works[n].free + rowMotion(n);
    let own = judgeContact(n);
    sums += own.sums;
    most = max(most, own.most);
  }
  let all_ = total(lane, sums, most);
  if (lane == 0u) {
    control.complementarity = all_.most.x;
    control.frictionCone = all_.most.y;
    control.stickingSlip = all_.most.z;
    control.cables = all_.most.w;
    control.error = sqrt(all_.sums.x);
  }
  return all_;
}

fn linearise(n: u32) {
  lineariseNormal(n);
  if (contacts[n].kind != KIND_CONTACT) {
    lineariseCable(n);
  } else if (contactStep.isGuarded == 1u) {
    lineariseSliding(n);
  } else {
    lineariseFriction(n);
  }
  // rows that move by themselves move the others
  multiplyNext(n, (vec3f(1.0) - works[n].engaged) * works[n].b);
}

fn beginLinear(n: u32) {
  let engaged = works[n].engaged;
  let forced = rowMotion(n);
  let inverse = select(vec3f(0.0), 1.0 / (works[n].diagonal + works[n].compliance), engaged > vec3f(0.0));
  let residual = engaged * (works[n].b - forced);
  works[n].inverse = inverse;
  works[n].residual = residual;
  works[n].x = vec3f(0.0);
  works[n].p = vec3f(0.0);
  works[n].ap = vec3f(0.0);
  works[n].s = inverse * residual;
  multiplyNext(n, works[n].s);
}

fn takeStep(n: u32) {
  let z = contacts[n].z;
  works[n].before = z;
  var next = z + select(works[n].b, works[n].x, works[n].engaged > vec3f(0.0));
  let pulls = contacts[n].kind == KIND_CABLE || (contacts[n].kind == KIND_CONTACT && contactStep.isGuarded == 1u);
  if (pulls) {
    next.x = max(0.0, next.x);
  }
  contacts[n].z = next;
}

// Takes off what the last iteration has left of friction outside of its cone, see contact-solver.ts.
fn enterCone(n: u32) {
  if (contactStep.isGuarded == 0u || contactStep.isLast == 0u) {
    return;
  }
  let z = contacts[n].z;
  let force = length(z.yz);
  let limit = contacts[n].friction * z.x;
  if (force > limit) {
    contacts[n].z = vec3f(z.x, z.yz * (limit / force));
  }
}
