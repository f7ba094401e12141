#import "articulated/batch-dynamics.wgsl"

// Contacts of the records of `touches`, and the features that meet there: twin of src/articulated/contact/contact-set.ts. They are in the scratch
// memory, since drivers compile every call of the search on its own.

// Without them links touch planes alone, and a row is of one link.
override withPairs: bool = true;

@group(0) @binding(7) var<storage, read> touches: array<BatchTouch>;

// Part of the coordinates of a point that is rounding.
const touchRounding = 1e-6;
// of a place for a contact, of which each record of `touches` has its own: the record, and the row of the contact's impulses in `states`; point,
// depth; not of this place, but the first of a list: where a contact is, and its first row of constraints; and where links touch each other the
// normal, and the feature with its two directions
const CONTACT_SHAPE = 0u;
const CONTACT_ROW = 1u;
const CONTACT_POINT = 2u;
const CONTACT_DEPTH = 5u;
const CONTACT_LISTED = 6u;
const CONTACT_HELD = 7u;
const CONTACT_NORMAL = 8u;
const CONTACT_FEATURE = 11u;
const CONTACT_SCRATCH = 18u;

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
  shape: u32,
  row: u32,
  // from the origin
  point: vec3f,
  depth: f32,
  // to the first link
  normal: vec3f,
  feature: Feature,
}

// contacts of the last search and the rows that they need, and how many contacts the record has that was searched last
var<private> contactCount: u32;
var<private> contactRows: u32;
var<private> ownCount: u32;

fn impulseIndex(row: u32) -> u32 {
  return row * batch.worldCount + world;
}

fn contactAt(c: u32) -> u32 {
  return batch.contactStart + c * select(CONTACT_NORMAL, CONTACT_SCRATCH, withPairs);
}

// The place of the first contact of a record.
fn placeOf(shape: u32) -> u32 {
  return (touches[shape].row - touches[0].row) / 3u;
}

fn contactFriction(shape: u32) -> f32 {
  return touches[shape].friction * varied(batch.frictionRow, 0u, 1.0);
}

// First row of constraints of a contact.
fn rowOf(c: u32) -> u32 {
  return u32(load(contactAt(c) + CONTACT_HELD));
}

fn contactOf(c: u32) -> Contact {
  let at = contactAt(u32(load(contactAt(c) + CONTACT_LISTED)));
  var contact: Contact;
  contact.shape = u32(load(at + CONTACT_SHAPE));
  contact.row = u32(load(at + CONTACT_ROW));
  contact.point = load3(at + CONTACT_POINT);
  contact.depth = load(at + CONTACT_DEPTH);
  contact.normal = touches[contact.shape].normal;
  if (withPairs) {
    contact.normal = load3(at + CONTACT_NORMAL);
    let feature = at + CONTACT_FEATURE;
    contact.feature = Feature(u32(load(feature)), load3(feature + 1u), load3(feature + 4u));
  }
  return contact;
}

// x is a point of the first core, and the second one is `gap` away against the normal.
fn emitContact(shape: u32, x: vec3f, normal: vec3f, gap: f32, feature: Feature) {
  let depth = touches[shape].radius + touches[shape].otherRadius - gap;
  if (depth < -touchRounding * (length(x) + touches[shape].radius) || ownCount == touches[shape].slots) { return; }
  let at = contactAt(placeOf(shape) + ownCount);
  store(at + CONTACT_SHAPE, f32(shape));
  store(at + CONTACT_ROW, f32(touches[shape].row + 3u * ownCount));
  store3(at + CONTACT_POINT, x - (touches[shape].radius - 0.5 * depth) * normal);
  store(at + CONTACT_DEPTH, depth);
  if (withPairs) {
    store3(at + CONTACT_NORMAL, normal);
    store(at + CONTACT_FEATURE, f32(feature.kind));
    store3(at + CONTACT_FEATURE + 1u, feature.d);
    store3(at + CONTACT_FEATURE + 4u, feature.e);
  }
  ownCount++;
}

fn pointFeature(kind: u32) -> Feature {
  return Feature(kind, vec3f(0.0), vec3f(0.0));
}
