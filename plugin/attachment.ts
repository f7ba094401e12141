import { Observable } from "@babylonjs/core/Misc/observable";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import { invalid, unsupported } from "../src/errors";
import { addAttachment, type Attachment, type AttachmentOptions, type DeformableBody } from "../src/index";
import { checkNames, optionNames } from "../src/option-names";
import type { RigidBody } from "../src/world/rigid/rigid-body";
import type { ArticulationAggregate } from "./articulation/articulation-aggregate";
import type { DeformableAggregate } from "./deformable/deformable-aggregate";
import { chosen, placesWhere, type VertexChoice } from "./deformable/find-points";
import type { ClothPlugin } from "./cloth-plugin";
import { pluginOf } from "./plugin-of";

/** Vertices of another deformable mesh, in the order of the attached ones. */
interface SceneVertexTarget {
  readonly aggregate: DeformableAggregate;
  readonly vertices: VertexChoice;
}

/** A body of the scene, or one of its thin instances: vertices keep their present places on it. */
interface SceneBodyTarget {
  readonly body: PhysicsBody;
  /** index of the thin instance */
  readonly instance?: number;
}

/** A link of a mechanism, by its name. */
interface SceneLinkTarget {
  readonly articulation: ArticulationAggregate;
  readonly link: string;
}

/** As `AttachmentOptions` of the engine, in the scene. */
export interface SceneAttachmentOptions extends Pick<AttachmentOptions, "compliance" | "breakingForce"> {
  readonly aggregate: DeformableAggregate;
  /** attached vertices of its mesh, by index or by a function of their places as for `pinWhere`; for a rope, points */
  readonly vertices: VertexChoice;
  /** the object that they are attached to */
  readonly to: SceneVertexTarget | SceneBodyTarget | SceneLinkTarget;
}

const attachmentOptionNames = optionNames<SceneAttachmentOptions>()("aggregate vertices to compliance breakingForce");

/**
 * Vertices of a deformable mesh that are attached to vertices of another one, to a body of the scene, or to a link. The
 * two hold each other. Bodies of solver `gpbd` hang on Pliant's own bodies by their `attach`.
 *
 * @example
 * ```ts
 * const seam = { aggregate: left, vertices: [6, 13], to: { aggregate: right, vertices: [0, 7] } };
 * const attachment = new AttachmentAggregate({ ...seam, breakingForce: 20 }, scene);
 * attachment.onBreakObservable.add(({ vertices }) => console.log("came off:", vertices));
 * ```
 */
export class AttachmentAggregate {
  /** Vertices have come off, because the force on them exceeded `breakingForce`. */
  readonly onBreakObservable = new Observable<{ readonly vertices: readonly number[] }>();
  private readonly host: ClothPlugin;
  private readonly attachment: Attachment;

  /**
   * @throws PliantError as `addAttachment` of the engine, and as `PliantPlugin.rigidBodyOf`; also for a scene without
   * this plugin, and `unsupported` for a mesh of solver `gpbd` on a body of Pliant, and for a predicate on a body that
   * a GPU has moved already. Nothing is changed then
   */
  constructor(options: SceneAttachmentOptions, scene: Scene) {
    this.host = pluginOf("AttachmentAggregate", scene);
    checkNames("attachment", options, attachmentOptionNames);
    const { aggregate, to, compliance, breakingForce } = options;
    const vertices = chosenOf(aggregate, options.vertices, "attachment.vertices");
    const of = (particle: number): number[] =>
      vertices.filter((vertex) => aggregate._particlesOf([vertex], "attachment.vertices").includes(particle));
    const { aggregate: other, body, articulation } = Object(to) as Partial<Record<string, unknown>>;
    if (!(other ?? body ?? articulation))
      throw invalid("attachment.to", to, "must be { aggregate, vertices }, { body } or { articulation, link }");
    const ends = "aggregate" in to ? pairsOf(aggregate, vertices, to) : undefined;
    this.attachment = addAttachment(this.host.world, {
      body: aggregate.body,
      vertices: ends?.own ?? aggregate._particlesOf(vertices, "attachment.vertices"),
      to: ends?.to ?? { rigid: this.rigidOf(to as SceneBodyTarget | SceneLinkTarget, aggregate) },
      compliance,
      breakingForce,
    });
    this.attachment.onBreak.add(({ vertices: broken }) =>
      this.onBreakObservable.notifyObservers({ vertices: [...new Set(broken.flatMap(of))] }),
    );
  }

  /** Largest force on an attached vertex in the last step [N]; undefined without a `breakingForce`. */
  get force(): number | undefined {
    return this.attachment.force;
  }

  /** Lets all vertices go. May be called again. */
  dispose(): void {
    this.attachment.dispose();
    this.onBreakObservable.clear();
  }

  private rigidOf(to: SceneBodyTarget | SceneLinkTarget, { solver, mesh }: DeformableAggregate): RigidBody {
    if ("articulation" in to) {
      const body = to.articulation.mechanism.bodyOf(to.link);
      if (body) return body;
      throw invalid("attachment.to.link", to.link, "must be a link with a shape");
    }
    const rigid = this.host.rigidBodyOf(to.body, to.instance);
    if (solver !== "gpbd" || this.host._beside) return rigid;
    throw unsupported(
      "attachment.to.body",
      mesh.name,
      "must not be of solver gpbd: its own attach lets it hang on a body",
    );
  }
}

/** @throws PliantError as `chosen`; `unsupported` for a predicate where only a GPU knows the places */
function chosenOf(aggregate: DeformableAggregate, choice: VertexChoice, what: string): number[] {
  if (typeof choice !== "function") return Array.from(chosen(what, choice, () => []));
  const { body, plugin } = aggregate;
  let positions: ArrayLike<number> = body.model.positions;
  if (aggregate._stepped && plugin.world.backend === "webgpu")
    throw unsupported(what, "a predicate", "must be indices once a GPU has moved the body");
  if (aggregate._stepped) body.requestState((seen) => (positions = seen.positions));
  return aggregate._found((places) => placesWhere(what, places, choice), positions);
}

/** Particles of pairs of vertices, each pair once: several vertices of a mesh may be one particle. */
function pairsOf(
  aggregate: DeformableAggregate,
  vertices: readonly number[],
  to: SceneVertexTarget,
): { own: readonly number[]; to: { body: DeformableBody; vertices: readonly number[] } } {
  const others = chosenOf(to.aggregate, to.vertices, "attachment.to.vertices");
  const own = aggregate._particleOfEach(vertices, "attachment.vertices");
  const their = to.aggregate._particleOfEach(others, "attachment.to.vertices");
  if (own.length !== their.length) return { own, to: { body: to.aggregate.body, vertices: their } };
  const pairs = [...new Map(own.map((p, k) => [`${p} ${their[k]}`, [p, their[k]]])).values()];
  return { own: pairs.map(([p]) => p), to: { body: to.aggregate.body, vertices: pairs.map(([, q]) => q) } };
}
