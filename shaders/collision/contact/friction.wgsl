#import "collision/bindings.wgsl"

// Friction coefficient of a deformable body's surface with an obstacle, as src/collision/obstacles/combine.ts.
fn frictionWith(k: u32, friction: f32) -> f32 {
  let other = colliders[k].friction;
  switch colliders[k].frictionCombine {
    case 1u: {
      return min(friction, other);
    }
    case 2u: {
      return max(friction, other);
    }
    case 3u: {
      return 0.5 * (friction + other);
    }
    case 4u: {
      return friction * other;
    }
    default: {
      return sqrt(friction * other);
    }
  }
}
