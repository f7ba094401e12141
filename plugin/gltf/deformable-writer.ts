import type { Node } from "@babylonjs/core/node";
import type { ClothPlugin } from "../cloth-plugin";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { addCarriers, describe, hasState, stateJson, type DeformableFile } from "../saved/deformable-json";
import type { Json } from "../saved/plain";
import { DEFORMABLES } from "./deformable-loader";
import type { GltfExporter } from "./rigid-writer";

/** A node of a file. */
interface WrittenNode {
  extensions?: Json;
}

/**
 * Writes `PLIANT_deformables` for Babylon's exporter: options, pins, carriers and wind of cloth, soft bodies and ropes, and, for those
 * that have moved, the mesh at rest and the state of the particles.
 */
export class DeformablesWriter {
  readonly name = DEFORMABLES;
  enabled = true;
  readonly required = false;
  wasUsed = false;
  private readonly waiting: { aggregate: DeformableAggregate; json: Json; file: DeformableFile }[] = [];

  constructor(private readonly exporter: GltfExporter) {}

  dispose(): void {
    this.enabled = false;
  }

  /** Called by the exporter for each node. */
  async postExportNodeAsync<N>(
    _context: string,
    node: N,
    place: Node,
    numbers: ReadonlyMap<Node, number>,
    isMirrored: boolean,
  ): Promise<N> {
    const plugin = this.exporter._babylonScene.getPhysicsEngine()?.getPhysicsPlugin() as unknown as
      | ClothPlugin
      | undefined;
    const aggregate = plugin?.deformableAggregates?.find(({ mesh }) => (mesh as Node) === place);
    if (!aggregate) return node;
    this.wasUsed = true;
    const file: DeformableFile = {
      name: DEFORMABLES,
      isMirrored,
      carrier: (owner, isSkin) => {
        const number = numbers.get("getSkeleton" in owner ? owner.getTransformNode()! : owner);
        return number === undefined ? undefined : { [isSkin ? "skin" : "node"]: number };
      },
    };
    const json = describe(aggregate, file);
    if (hasState(aggregate, DEFORMABLES))
      json.state = stateJson(aggregate, await aggregate.body.readState(), isMirrored);
    (node as WrittenNode).extensions = { ...(node as WrittenNode).extensions, [DEFORMABLES]: json };
    // Carriers may be written later than this node.
    this.waiting.push({ aggregate, json, file });
    return node;
  }

  /** Called by the exporter once all nodes are there. */
  onExporting(): void {
    for (const { aggregate, json, file } of this.waiting) addCarriers(json, aggregate, file);
  }
}
