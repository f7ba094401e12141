// Sums over a workgroup of 128, in a fixed order. The first half of the invocations keep theirs until the others have handed
// in, so that less memory is needed: drivers that clear it invocation by invocation are slow to compile for more. Barriers are
// dearest where invocations are simulated, so the last half is added up by one of them.

const SUM_WIDTH = 128u;
const SUM_ROOM = 64u;

var<workgroup> sumRoom: array<vec4f, SUM_ROOM>;

// For the first invocation; others get what means nothing. Every invocation has to call it, with a barrier between two calls.
fn workgroupSum(v: vec3f, lane: u32) -> vec3f {
  if (lane >= SUM_ROOM) { sumRoom[lane - SUM_ROOM] = vec4f(v, 0.0); }
  workgroupBarrier();
  if (lane < SUM_ROOM) { sumRoom[lane] += vec4f(v, 0.0); }
  workgroupBarrier();
  var total = vec3f(0.0);
  if (lane == 0u) {
    for (var k = 0u; k < SUM_ROOM; k++) { total += sumRoom[k].xyz; }
  }
  return total;
}
