#import "local-global/contact/rows.wgsl"

// All contacts at once by a share ω of the step that each would take by itself, projected onto its law. It takes
// nothing but products with W; the reference sweeps contact by contact in its place (contact-sweeps.ts), which one lane would have to do.
// ω is Barzilai's and Borwein's, with s and y what z and δ have changed by in the last step, and D = diag(W):
//
//     ω = sᵀDs / sᵀy and sᵀy / yᵀD⁻¹y in turn
//
// While it goes on, `works` has z before the step in p, δ there in ap, and the best z so far in x.

// The first ω.
const FIRST_SHARE = 0.3;

fn projectContact(n: u32, share: f32) -> vec3f {
  if (contacts[n].kind != KIND_CONTACT) { return projectCable(n, share); }
  let aim = contacts[n].z - share * works[n].delta / works[n].diagonal;
  let normal = max(0.0, aim.x);
  let size = length(aim.yz);
  let limit = contacts[n].friction * normal;
  return vec3f(normal, aim.yz * select(1.0, limit / size, size > limit));
}

// Terms of the quotient that is the next ω.
fn measureShare(n: u32, isLong: bool) -> vec2f {
  let w = works[n].diagonal + vec3f(contacts[n].compliance);
  let s = contacts[n].z - works[n].p;
  let y = works[n].delta - works[n].ap + contacts[n].compliance * s;
  let scaled = select(vec3f(0.0), y / w, w > vec3f(0.0));
  return select(vec2f(dot(s, y), dot(y, scaled)), vec2f(dot(s, w * s), dot(s, y)), isLong);
}

fn nextShare(terms: vec2f) -> f32 {
  return select(FIRST_SHARE, terms.x / terms.y, terms.x > 0.0 && terms.y > 0.0);
}
