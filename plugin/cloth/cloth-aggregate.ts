import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { clothModel } from "../../src/index";
import { DeformableAggregate, requireFreeMesh } from "../deformable/deformable-aggregate";
import { requireRoom } from "../deformable/gpu-vertices";
import { readMesh } from "../deformable/read-mesh";
import { pluginOf } from "../plugin-of";
import { toBodyOptions, type ClothMotionOptions, type ClothOptions } from "./cloth-options";
import { WeldedSkin } from "./welded-skin";

/** Elongation that the strain view draws as full red. */
const STRAIN_SCALE = 0.05;

/**
 * Turns a mesh into cloth:
 *
 *     const cloth = new ClothAggregate(mesh, { fabric: "silk", pins: [0, 20] }, scene);
 *
 * The mesh may be any triangle mesh, where it stands in the scene. Vertices at one place are one particle, so texture
 * seams do not come apart; vertex numbers of all methods are those of the mesh. The cloth lives in world space: moving the
 * node of the mesh later does not move it (see `attach`).
 */
export class ClothAggregate extends DeformableAggregate {
  readonly kind = "cloth";
  /** The particle of each vertex of the mesh. */
  readonly particles: Uint32Array;

  /**
   * @param scene default: that of the mesh
   * @throws PliantError naming the mesh, the value and the rule: a mesh that is empty, degenerate, not finite, an instance
   * or too large for the device; an option or a pin out of range; a scene without this plugin. The mesh
   * and the scene are left as they were.
   */
  constructor(mesh: AbstractMesh, options: ClothOptions = {}, scene: Scene = mesh.getScene()) {
    const object = `ClothAggregate "${mesh.name}"`;
    const plugin = pluginOf(object, scene);
    requireFreeMesh(object, mesh, plugin);
    const bodyOptions = toBodyOptions(object, options);
    const source = readMesh(object, mesh);
    const { device } = plugin.world;
    if (device) requireRoom(object, device, source.positions.length / 3);
    const { fabric, membrane, bending } = options;
    const model = clothModel({ ...source, fabric, membrane, bending, name: object });
    const skin = new WeldedSkin(model, model.vertexToParticle);
    super({ object, plugin, mesh, scene, model, skin, pins: options.pins ?? [], options: bodyOptions });
    this.particles = model.vertexToParticle;
  }

  /**
   * Changes how the cloth is stepped, from the next step on.
   *
   * @throws PliantError for a value out of its range; nothing is changed then
   */
  setOptions(options: ClothMotionOptions): void {
    this.changeOptions(toBodyOptions(this.name, options));
  }

  /**
   * Colours the vertices by how much the cloth is stretched (red) or compressed (blue), instead of the vertex colours that
   * the mesh may have.
   *
   * @param scale elongation that is drawn as full red, default 0.05
   */
  showStrain(visible: boolean, scale = STRAIN_SCALE): void {
    this.check();
    this.output.showStrain(visible ? scale : undefined);
  }

  protected override placesFor(
    vertex: number,
    { x, y, z }: Vector3,
  ): { particle: number; x: number; y: number; z: number }[] {
    return [{ particle: this.particles[vertex], x, y, z }];
  }
}
