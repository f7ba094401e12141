// An entry of G from two columns of S at touched vertices: what they share, that is from their first common ancestor on, less what held
// vertices take off. For modules that have `contactColumns`, `touched`, `nodes` and `delassus`.

fn entryBetween(i: u32, j: u32) -> f32 {
  let shared_ = sharedLength(touched[j].column, touched[i].column);
  var a = touched[i].at + touched[i].depth - shared_;
  var b = touched[j].at + touched[j].depth - shared_;
  var sum = 0.0;
  for (var k = 0u; k < shared_; k++) { sum += delassus[a + k] * delassus[b + k]; }
  a = touched[i].at + touched[i].depth;
  b = touched[j].at + touched[j].depth;
  let heldCount = nodes[touched[i].body].heldCount;
  for (var k = 0u; k < heldCount; k++) { sum -= delassus[a + k] * delassus[b + k]; }
  return sum;
}

// Number of ancestors that two columns share, themselves counted.
fn sharedLength(one: u32, other: u32) -> u32 {
  let row = sharedRow(one, other);
  if (row == 0xffffffffu) { return 0u; }
  return contactColumns[row].depth;
}

// The first ancestor that two columns share; 0xffffffff for none.
fn sharedRow(one: u32, other: u32) -> u32 {
  var i = one;
  var j = other;
  while (contactColumns[i].blockEnd != contactColumns[j].blockEnd) {
    if (contactColumns[i].blockEnd < contactColumns[j].blockEnd) {
      i = contactColumns[i].parent;
    } else {
      j = contactColumns[j].parent;
    }
    if (i == 0xffffffffu || j == 0xffffffffu) { return 0xffffffffu; }
  }
  return max(i, j);
}
