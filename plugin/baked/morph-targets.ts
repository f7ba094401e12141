import { Animation } from "@babylonjs/core/Animations/animation";
import { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { MotionFrames } from "./motion-frames";
import { MotionNormals } from "./motion-normals";

/**
 * The mesh itself gets the first frame, and each later frame is a target, whose influence rises from the frame before
 * it and falls to the frame after it.
 */
export function addMorphTargets(motion: MotionFrames, mesh: Mesh): AnimationGroup {
  const { frameRate, frameCount } = motion;
  const scene = mesh.getScene();
  const normals = new MotionNormals(mesh, Float32Array.from(mesh.getVerticesData(VertexBuffer.PositionKind)!));
  const directionsOf = (frame: number): Float32Array => {
    const directions = new Float32Array(3 * motion.vertexCount);
    normals.write(motion.frame(frame), directions);
    return directions;
  };
  mesh.setVerticesData(VertexBuffer.PositionKind, motion.frame(0).slice(), true);
  mesh.setVerticesData(VertexBuffer.NormalKind, directionsOf(0), true);
  const manager = new MorphTargetManager(scene);
  const group = new AnimationGroup(`${mesh.name} motion`, scene);
  for (let frame = 1; frame < frameCount; frame++) {
    const target = new MorphTarget(`${mesh.name} ${frame}`, 0, scene);
    target.setPositions(motion.frame(frame).slice());
    target.setNormals(directionsOf(frame));
    manager.addTarget(target);
    const { ANIMATIONTYPE_FLOAT, ANIMATIONLOOPMODE_CYCLE } = Animation;
    const animation = new Animation(target.name, "influence", frameRate, ANIMATIONTYPE_FLOAT, ANIMATIONLOOPMODE_CYCLE);
    const around = [0, frame - 1, frame, frame + 1, frameCount - 1].filter((key) => key >= 0 && key < frameCount);
    const keys = [...new Set(around)].sort((a, b) => a - b);
    animation.setKeys(keys.map((key) => ({ frame: key, value: key === frame ? 1 : 0 })));
    group.addTargetedAnimation(animation, target);
  }
  mesh.morphTargetManager = manager;
  return group;
}
