// A triangle as a rigid plate: how it has turned, and how its corners take up a torque; see src/solvers/gpbd/strains/triangle-frame.ts.

struct BendingFrame {
  normal: vec3f,
  // along the first side
  side: vec3f,
  // across the first side, over its length [1/m]
  across: vec3f,
  // gradients of the hat functions of the corners [1/m]
  hats: mat3x3f,
}

// p, q: from the first corner to the others. All zero for a triangle without area.
fn bendingFrame(p: vec3f, q: vec3f) -> BendingFrame {
  let n = cross(p, q);
  let doubleArea = length(n);
  let length2 = dot(p, p);
  if (!(doubleArea > 0.0 && length2 > 0.0)) { return BendingFrame(); }
  let normal = n / doubleArea;
  return BendingFrame(
    normal,
    p / sqrt(length2),
    cross(normal, p) / length2,
    mat3x3f(
      cross(normal, q - p) / doubleArea,
      cross(normal, -q) / doubleArea,
      cross(normal, p) / doubleArea,
    ),
  );
}

// Along the first side, across it, normal.
fn bendingAxes(f: BendingFrame) -> mat3x3f {
  return mat3x3f(f.side, cross(f.normal, f.side), f.normal);
}

// By the displacements of the corners, columns of u [rad].
fn bendingTurn(f: BendingFrame, u: mat3x3f) -> vec3f {
  let lean = f.hats * (f.normal * u);
  return cross(f.normal, -lean) + dot(f.across, u[1] - u[0]) * f.normal;
}

// With turns of a sliver no stiffer than `most`: see `limitFrame` in bending-solve.ts.
fn limitedFrame(f: BendingFrame, s: mat3x3f, w: f32, most: f32) -> BendingFrame {
  let bent = dot(s[0], s[0]) + dot(s[1], s[1]) + dot(s[2], s[2]);
  let steep = dot(f.hats[0], f.hats[0]) + dot(f.hats[1], f.hats[1]) + dot(f.hats[2], f.hats[2]);
  let stiffness = w * bent * steep;
  if (!(stiffness > most)) { return f; }
  let part = sqrt(most / stiffness);
  return BendingFrame(f.normal, f.side, part * f.across, part * f.hats);
}

// Impulses of the corners that a torque is taken up by, over the time step.
fn bendingReaction(f: BendingFrame, torque: vec3f) -> mat3x3f {
  let lean = cross(torque, f.normal) * f.hats;
  let sideways = dot(torque, f.normal) * f.across;
  return mat3x3f(lean.x * f.normal + sideways, lean.y * f.normal - sideways, lean.z * f.normal);
}
