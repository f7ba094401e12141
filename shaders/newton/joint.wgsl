#import "newton/rows.wgsl"

// Positions and directions of a joint's two frames, and the C and J of its rows: twin of joints/relative-frame.ts, whose
// head explains the symbols.

struct Relative {
  axesA: mat3x3f,
  axesB: mat3x3f,
  armA: vec3f,
  armB: vec3f,
  d: vec3f,
  q: vec4f,
}

fn relativeFrame(j: JointFrames, poseA: BodyPose, poseB: BodyPose) -> Relative {
  var f: Relative;
  let qa = quaternionProduct(poseA.rotation, j.turnA);
  let qb = quaternionProduct(poseB.rotation, j.turnB);
  f.axesA = rotationMatrix(qa);
  f.axesB = rotationMatrix(qb);
  f.armA = rotate(poseA.rotation, j.pivotA);
  f.armB = rotate(poseB.rotation, j.pivotB);
  f.d = centresApart(poseA, poseB) + (f.armB - f.armA);
  let q = quaternionProduct(vec4f(-qa.xyz, qa.w), qb);
  // Of q and −q the one that turns less.
  f.q = select(q, -q, q.w < 0.0);
  return f;
}

fn unit(i: u32) -> vec3f {
  return vec3f(f32(i == 0u), f32(i == 1u), f32(i == 2u));
}

// f_B · (eᵢ × f_A) for the free axis f: the third axis of A with a sign
fn leanNormal(f: Relative, i: u32, free: u32) -> vec3f {
  let sign = select(-1.0, 1.0, (i + 1u) % 3u == free);
  return sign * f.axesA[3u - i - free];
}

// g, and l dg/dc, see lean in relative-frame.ts: beyond a right angle the length of the lean is the angle itself.
fn leanBeyond(f: Relative, i: u32, free: u32) -> vec2f {
  let c = dot(f.axesB[free], f.axesA[free]);
  let squared = 1.0 - c * c;
  // opposite axes may turn to either side
  if (c >= 0.0 || squared < 1e-6) { return vec2f(1.0, 0.0); }
  let s = sqrt(squared);
  let scale = (3.141592653589793 - arcTangent(s, -c)) / s;
  return vec2f(scale, dot(f.axesB[free], leanNormal(f, i, free)) * (scale * c - 1.0) / squared);
}

fn rowValue(f: Relative, j: JointFrames, row: JointRow) -> f32 {
  var value = 0.0;
  if (row.axis == 6u) {
    value = length(f.d);
  } else if (row.axis < 3u) {
    value = dot(f.axesA[row.axis], f.d);
  } else {
    let i = row.axis - 3u;
    switch (row.form) {
      case ROW_SMALL: { value = 2.0 * f.q[i]; }
      case ROW_LEAN: {
        let free = u32(j.freeAngle);
        value = leanBeyond(f, i, free).x * dot(f.axesB[free], leanNormal(f, i, free));
      }
      default: { value = 2.0 * arcTangent(f.q[i], f.q.w); }
    }
  }
  var error = value - row.reference;
  if (row.form == ROW_WRAPPED) { error -= 6.283185307179586 * floor(error / 6.283185307179586 + 0.5); }
  return row.sign * error;
}

// Writes row k of the block.
fn setUpRow(k: u32, f: Relative, j: JointFrames, row: JointRow) {
  if (row.axis < 3u || row.axis == 6u) {
    var a = f.axesA[min(row.axis, 2u)];
    if (row.axis == 6u) {
      let size = length(f.d);
      // Pivots at one place have no direction between them; any will do.
      a = select(vec3f(1.0, 0.0, 0.0), f.d / max(size, 1e-12), size > 1e-12);
    }
    a *= row.sign;
    w.direction[k] = a;
    w.turnA[k] = cross(a, f.armA + f.d);
    w.turnB[k] = cross(f.armB, a);
    return;
  }
  let i = row.axis - 3u;
  let e = unit(i);
  let v = f.q.xyz;
  var alpha = vec3f(0.0);
  switch (row.form) {
    case ROW_SMALL: { alpha = f.axesA * (f.q.w * e + cross(v, e)); }
    case ROW_LEAN: {
      let free = u32(j.freeAngle);
      let beyond = leanBeyond(f, i, free);
      alpha = cross(f.axesB[free], beyond.x * leanNormal(f, i, free) + beyond.y * f.axesA[free]);
    }
    default: {
      let squared = f.q.w * f.q.w + v[i] * v[i];
      if (squared > 1e-12) {
        alpha = f.axesA * (f.q.w * f.q.w * e + f.q.w * cross(v, e) + v[i] * v) * (row.sign / squared);
      }
    }
  }
  w.direction[k] = vec3f(0.0);
  w.turnA[k] = -alpha;
  w.turnB[k] = alpha;
}
