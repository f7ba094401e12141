// Sums over a workgroup of 128, in a fixed order. The first half of the invocations keep theirs until the others have handed
// in, so that less memory is needed: drivers that clear it invocation by invocation are slow to compile for more.

const SUM_WIDTH = 128u;
const SUM_ROOM = 64u;
const SUM_PARTS = 8u;

var<workgroup> sumRoom: array<vec4f, SUM_ROOM>;

// For the first invocation; others get what means nothing. Every invocation has to call it.
fn workgroupSum(v: vec3f, lane: u32) -> vec3f {
  // of a sum before this one
  workgroupBarrier();
  if (lane >= SUM_ROOM) {
    sumRoom[lane - SUM_ROOM] = vec4f(v, 0.0);
  }
  workgroupBarrier();
  if (lane < SUM_ROOM) {
    sumRoom[lane] += vec4f(v, 0.0);
  }
  workgroupBarrier();
  if (lane < SUM_PARTS) {
    var part = sumRoom[lane];
    for (var k = lane + SUM_PARTS; k < SUM_ROOM; k += SUM_PARTS) {
      part += sumRoom[k];
    }
    sumRoom[lane] = part;
  }
  workgroupBarrier();
  var total = sumRoom[0].xyz;
  for (var k = 1u; k < SUM_PARTS; k++) {
    total += sumRoom[k].xyz;
  }
  return total;
}
