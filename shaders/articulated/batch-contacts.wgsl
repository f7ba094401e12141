#import "articulated/batch-dynamics.wgsl"

// A contact of a record of `touches`, and the features that meet there: twin of src/articulated/contact/contact-set.ts.

// Without them links touch planes alone, and a row is of one link.
override withPairs: bool = true;

@group(0) @binding(7) var<storage, read> touches: array<BatchTouch>;

// Part of the coordinates of a point that is rounding.
const touchRounding = 1e-6;
// as many as two boxes may have
const MOST_CONTACTS = 8u;

// Features of the first link and of the other one; with OF_OTHER of the other one and the first
const POINT_FACE = 0u;
const POINT_POINT = 1u;
const POINT_EDGE = 2u;
const EDGE_POINT = 3u;
const EDGE_EDGE = 4u;
const EDGE_OVER_SIDE = 5u;
const FACE_OVER_CORNER = 6u;
const OF_OTHER = 8u;

struct Feature {
  kind: u32,
  // direction of the first edge, or normal of a face over a corner
  d: vec3f,
  // direction of the second edge, or normal of a side
  e: vec3f,
}

struct Contact {
  // from the origin
  point: vec3f,
  depth: f32,
  // to the first link
  normal: vec3f,
  feature: Feature,
}

// contacts of the last search: the first, which planes have alone, and the others
var<private> firstContact: Contact;
var<private> contacts: array<Contact, MOST_CONTACTS>;
var<private> contactCount: u32;

// x is a point of the first core, and the second one is `gap` away against the normal.
fn emitContact(shape: u32, x: vec3f, normal: vec3f, gap: f32, feature: Feature) {
  let depth = touches[shape].radius + touches[shape].otherRadius - gap;
  if (depth >= -touchRounding * (length(x) + touches[shape].radius) && contactCount < MOST_CONTACTS) {
    let contact = Contact(x - (touches[shape].radius - 0.5 * depth) * normal, depth, normal, feature);
    if (contactCount == 0u) {
      firstContact = contact;
    } else {
      contacts[contactCount] = contact;
    }
    contactCount++;
  }
}

fn pointFeature(kind: u32) -> Feature {
  return Feature(kind, vec3f(0.0), vec3f(0.0));
}
