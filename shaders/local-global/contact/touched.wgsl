#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"

// The touched vertices, in the order of their columns, where their columns of S go, and where G of each body goes. One workgroup.

const TOUCH_LANES = 256u;

@group(0) @binding(0) var<storage, read> columns: array<SparseColumn>;
@group(0) @binding(1) var<storage, read> bodies: array<LocalGlobalBody>;
@group(0) @binding(2) var<storage, read> rowStart: array<u32>;
@group(0) @binding(3) var<storage, read_write> touched: array<TouchedVertex>;
@group(0) @binding(4) var<storage, read_write> nodes: array<ContactNode>;
@group(0) @binding(5) var<storage, read_write> contactColumns: array<ContactColumn>;
@group(0) @binding(6) var<storage, read_write> control: ContactControl;
@group(0) @binding(7) var<storage, read_write> groups: ContactGroups;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

// how many, and how many values their columns have, with those of held vertices
var<workgroup> touchSums: array<vec2u, TOUCH_LANES>;

@compute @workgroup_size(TOUCH_LANES)
fn listTouched(@builtin(local_invocation_index) lane: u32) {
  let count = contactStep.vertexCount;
  let stretch = (count + TOUCH_LANES - 1u) / TOUCH_LANES;
  let first = min(count, lane * stretch);
  let end = min(count, first + stretch);
  var sum = vec2u(0u);
  for (var j = first; j < end; j++) {
    if (rowStart[j + 1u] > rowStart[j]) { sum += vec2u(1u, columns[j].depth + bodies[columns[j].body].pinCount); }
  }
  touchSums[lane] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < TOUCH_LANES; reach *= 2u) {
    var before = vec2u(0u);
    if (lane >= reach) { before = touchSums[lane - reach]; }
    workgroupBarrier();
    touchSums[lane] += before;
    workgroupBarrier();
  }
  var total = touchSums[lane] - sum;
  for (var j = first; j < end; j++) {
    let column = columns[j];
    // until the next loop: how many there are before
    contactColumns[j].end = total.x;
    contactColumns[j].depth = column.depth;
    contactColumns[j].blockEnd = column.blockEnd;
    contactColumns[j].parent = column.parent;
    if (rowStart[j + 1u] > rowStart[j]) {
      touched[total.x].vertex = column.vertex;
      touched[total.x].column = j;
      touched[total.x].body = column.body;
      touched[total.x].force = vec3f(0.0);
      touched[total.x].firstIncidence = rowStart[j];
      touched[total.x].endIncidence = rowStart[j + 1u];
      touched[total.x].at = total.y;
      touched[total.x].depth = column.depth;
      total += vec2u(1u, column.depth + bodies[column.body].pinCount);
    }
  }
  storageBarrier();
  for (var j = lane; j < count; j += TOUCH_LANES) { contactColumns[j].first = contactColumns[columns[j].first].end; }
  let all_ = touchSums[TOUCH_LANES - 1u];
  if (lane == 0u) {
    control.touched = all_.x;
    groups.eachTouched = vec3u(all_.x, 1u, 1u);
    groups.touched = vec3u((all_.x + 63u) / 64u, 1u, 1u);
    var wanted = all_.y;
    var isStored = true;
    var lacksRoom = false;
    for (var b = 0u; b < contactStep.bodyCount; b++) {
      let begin = contactColumns[bodies[b].firstVertex].end;
      let after = bodies[b].firstVertex + bodies[b].vertexCount;
      var finish = all_.x;
      if (after < count) { finish = contactColumns[after].end; }
      nodes[b].first = begin;
      nodes[b].count = finish - begin;
      nodes[b].firstHeld = bodies[b].firstPin;
      nodes[b].heldCount = bodies[b].pinCount;
      let size = nodes[b].count * nodes[b].count;
      // products go through the columns where that reads less, as in touched-body.ts
      let values = valuesBefore(finish, all_) - valuesBefore(begin, all_);
      let pays = size <= ENTRIES_PER_VALUE * values;
      let fits = wanted + select(0u, size, pays) <= contactStep.valueCapacity;
      let takesEntries = pays && fits;
      nodes[b].entries = select(NO_SLOT, wanted, takesEntries);
      isStored = isStored && takesEntries;
      lacksRoom = lacksRoom || !fits;
      wanted += select(0u, size, pays);
    }
    control.wantedValues = max(wanted, control.wantedValues);
    if (lacksRoom && contactStep.mayGrow == 1u && control.haltedAt == 0u) { control.haltedAt = contactStep.number; }
    control.isStored = u32(isStored);
    let isWide = all_.x >= WIDE_TOUCHED;
    control.isWide = u32(isWide);
    groups.read = select(groups.eachTouched, vec3u(0u), isWide);
    groups.readMany = select(vec3u(0u), groups.touched, isWide);
    if (isWide && contactStep.hasRounds == 0u && control.haltedAt == 0u) {
      control.haltedAt = contactStep.number;
      control.rounds = MORE_ROUNDS;
      control.lastRounds = MORE_ROUNDS;
    }
    for (var p = 0u; p < contactStep.rigidCount; p++) {
      nodes[contactStep.bodyCount + p].first = rowStart[count + p];
      nodes[contactStep.bodyCount + p].count = rowStart[count + p + 1u] - rowStart[count + p];
    }
  }
  storageBarrier();
  for (var j = lane; j < count; j += TOUCH_LANES) {
    if (rowStart[j + 1u] > rowStart[j]) { contactColumns[j].end += 1u; }
  }
}

// Values in the columns of the touched vertices before one; of all, where there is none.
fn valuesBefore(slot: u32, all_: vec2u) -> u32 {
  if (slot == all_.x) { return all_.y; }
  return touched[slot].at;
}
