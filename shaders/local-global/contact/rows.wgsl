#import "math/ncp.wgsl"
#import "local-global/contact/cables.wgsl"

// Rows of a Newton step on the contacts, and violations of the laws of contact by a solution: twin of contact-solver.ts.

// Distance of a contact from its projection by δ, squared, and (r z)² to compare with [m²]; violations of the laws [m].
fn judgeContact(n: u32) -> LaneTotals {
  if (contacts[n].kind != KIND_CONTACT) { return judgeCable(n); }
  let z = contacts[n].z;
  let delta = works[n].delta;
  let w = works[n].diagonal;
  let force = length(z.yz);
  let limit = contacts[n].friction * z.x;
  var most = vec4f(abs(min(delta.x, w.x * z.x)), w.y * (force - limit), 0.0, 0.0);
  if (force < 0.99 * limit) { most.z = length(delta.yz); }
  // min(r z, δ) where z is not negative: no difference of near numbers
  let normal = min(w.x * z.x, delta.x);
  let aim = w.y * z.yz - delta.yz;
  let share = min(1.0, w.y * max(0.0, limit) / max(length(aim), 1e-30));
  let sliding = w.y * z.yz - share * aim;
  let size = w.x * z.x;
  return LaneTotals(vec4f(normal * normal + dot(sliding, sliding), size * size, 0.0, 0.0), most);
}

fn lineariseNormal(n: u32) {
  let delta = works[n].delta.x + contacts[n].compliance * contacts[n].z.x;
  let z = contacts[n].z.x;
  let r = works[n].scale.x;
  var row: NormalRow;
  if (contactStep.ncp == 0u) {
    row = minimumMap(delta, z, r);
  } else {
    // at the corner a contact counts as closed
    row = fischerBurmeisterFrom(delta, z, r, 1.0);
  }
  works[n].engaged.x = f32(row.isActive);
  works[n].compliance.x = row.compliance + contacts[n].compliance;
  works[n].b.x = select(row.step, -row.residual, row.isActive);
}

// Friction rows as in appendix B: s + E z_f = 0 with E of the last iterate.
fn lineariseFriction(n: u32) {
  let z = contacts[n].z;
  let delta = works[n].delta;
  let limit = contacts[n].friction * z.x;
  let isHeld = limit > 0.0;
  var e = 0.0;
  if (isHeld && contactStep.ncp == 0u) {
    e = minimumMapSlip(length(delta.yz), length(z.yz), limit, works[n].scale.y);
  } else if (isHeld) {
    e = fischerBurmeisterSlip(length(delta.yz), length(z.yz), limit, works[n].scale.y);
  }
  let engaged = f32(isHeld);
  works[n].engaged = vec3f(works[n].engaged.x, engaged, engaged);
  works[n].compliance = vec3f(works[n].compliance.x, e, e);
  works[n].b = vec3f(works[n].b.x, select(-z.yz, -(delta.yz + e * z.yz), isHeld));
}

// Friction rows of the guarded iteration, see contact-solver.ts.
fn lineariseSliding(n: u32) {
  let limit = contacts[n].friction * contacts[n].z.x;
  let isHeld = limit > 0.0;
  let aim = contacts[n].z.yz - works[n].delta.yz / works[n].scale.y;
  let size = length(aim);
  let sticks = size <= limit;
  if (!sticks && isHeld) { turnTangents(n, aim / size); }
  let z = contacts[n].z;
  let delta = works[n].delta;
  let e = select(length(delta.yz) / limit, 0.0, sticks || !isHeld);
  works[n].engaged = vec3f(works[n].engaged.x, f32(sticks), f32(isHeld));
  works[n].compliance = vec3f(works[n].compliance.x, 0.0, e);
  works[n].b = vec3f(
    works[n].b.x,
    select(limit - z.y, -delta.y, sticks),
    select(-z.z, -(delta.z + e * z.z), isHeld),
  );
}

// The first tangent turns to where `direction` says, with all that is told in the tangents.
fn turnTangents(n: u32, direction: vec2f) {
  let turned = mat2x2f(direction.x, -direction.y, direction.y, direction.x);
  contacts[n].tangent = direction.x * contacts[n].tangent + direction.y * cross(contacts[n].normal, contacts[n].tangent);
  contacts[n].z = vec3f(contacts[n].z.x, turned * contacts[n].z.yz);
  contacts[n].offset = vec3f(contacts[n].offset.x, turned * contacts[n].offset.yz);
  works[n].delta = vec3f(works[n].delta.x, turned * works[n].delta.yz);
  works[n].free = vec3f(works[n].free.x, turned * works[n].free.yz);
}
