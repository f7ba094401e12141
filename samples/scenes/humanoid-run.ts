import { loadMjcf } from "../../src/articulated/loaders/mjcf/mjcf";
import { apply, identity, inverse } from "../../src/articulated/loaders/transform";
import { ArticulatedModel } from "../../src/articulated/model";
import { mechanismPlacedAt } from "../../src/articulated/placed-at";
import { mechanismModel, type ColliderShape, type Mechanism, type Quat, type Vec3 } from "../../src/index";
import { looksOf, propsOf } from "../articulated";
import { correctionsOf, CorrectedGait } from "../learning/runner/corrected-gait";
import { Pushes } from "../learning/runner/pushes";
import { Network } from "../learning/policy";
import learned from "../learning/policies/humanoid-run.json";
import { personMjcf, soles } from "../mechanisms/person";
import { choiceOf, numberOf } from "../parameters";
import { mulberry } from "../random";
import { Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import { startRunning } from "../running-gait";
import type { Prop, PropMaterial, SceneDefinition } from "../scene";

const GRAVITY = 9.81;
/** Turns the axes of the file, x ahead and z up, to those of the scene: y up. */
const UPRIGHT: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
/** Slats of the drawn track: their number, distance and half sizes [m]. */
const [SLATS, APART] = [14, 0.6];
const SLAT: Vec3 = [0.28, 0.02, 0.6];
/** The ground, long enough for some ten minutes. */
const TRACK: ColliderShape = { type: "box", halfExtents: [2000, 1, 100] };
/** Speed is measured from then on [s]. */
const STARTED = 2;
/** A sole is on the ground up to this height [m]. */
const NEAR = 1e-3;
/** Coordinates of the pelvis: turn, then ahead, to the left and up. */
const [AHEAD, ASIDE] = [3, 4];

/** The person runs by the gait alone, or with a network that corrects it. */
const controls = ["policy", "gait"] as const;

/** A person of 21 servos runs in a world, by a gait whose numbers a search found, and which a learned network corrects. */
export const humanoidRun: SceneDefinition = {
  name: "humanoid-run",
  title: "Running person",
  description:
    "A person with 21 servos runs, by a gait of poses that a learned network corrects, and keeps its feet when it is pushed. The camera runs along: the ground passes by below.",
  frames: 600,
  groundHeight: -0.25,
  view: { target: [0, 0.85, 0], alpha: -1.2, beta: 1.35, radius: 4.6 },
  parameters: [
    ...rigidParameters({ substeps: 4 }),
    { name: "seed", default: 1, unit: "", range: [0, 1e9], integer: true, description: "start" },
    frictionParameter(1),
    {
      name: "control",
      default: "policy",
      unit: "",
      choices: controls,
      description: "the gait with the corrections of a learned policy, or alone",
    },
    { name: "push", default: 0, unit: "N s", range: [0, 150], description: "of each push from any side" },
  ],
  metrics: [
    { name: "hundred", unit: "s", bound: 40, description: "time for 100 m at the mean speed after two seconds" },
    { name: "leaned", unit: "rad", bound: 0.4, description: "largest angle of the pelvis with the vertical" },
    { name: "aside", unit: "m", bound: 0.5, description: "largest way beside the line" },
    { name: "penetration", unit: "m", bound: 1e-3, description: "greatest depth of a contact" },
    { name: "slip", unit: "m", bound: 0.04, description: "largest way of a sole over the ground in a step" },
    { name: "beyond", unit: "rad", bound: 1e-3, description: "farthest turn of a joint beyond its limits" },
    { name: "transport", unit: "", description: "energy that servos give, over weight and way" },
    { name: "air", unit: "", description: "part of the time with no foot on the ground" },
    { name: "way", unit: "m", description: "run" },
  ],
  async build(world, values) {
    setUp(world, values, GRAVITY);
    const friction = numberOf(values, "friction");
    new Cast(world).floor({ friction, shape: TRACK });
    const dt = numberOf(values, "frameTime");
    const { mechanism: plain, actuators } = await loadMjcf(personMjcf);
    const description = mechanismPlacedAt(plain, { position: [0, 0, 0], rotation: UPRIGHT });
    const runner = world.addMechanism(
      mechanismModel(description, { maxTimeStep: dt / numberOf(values, "substeps"), actuators, limits: "ahead" }),
    );
    const { q, qd, model } = runner.simulation;
    const random = mulberry(numberOf(values, "seed"));
    startRunning(model, q, qd, random);
    runner.place();
    const gait = new CorrectedGait(new ArticulatedModel(plain));
    const network = choiceOf(values, "control", controls) === "policy" ? new Network(learned) : undefined;
    const none = new Float64Array(gait.actionSize);
    const pushes = new Pushes(random, numberOf(values, "push"), dt);
    const meter = new PenetrationMeter(world.rigid);
    const feet = soles.map((sole) => new SlipMeter(runner, sole));
    let [leaned, aside, beyond, energy, air, frames, passed] = [0, 0, 0, 0, 0, 0, 0];
    const slats = Array.from({ length: SLATS }, () => ({
      shape: { type: "box", halfExtents: SLAT } as const,
      material: "stone" as const,
      position: [0, 0, 0] as Vec3,
    })) satisfies Prop[];
    const show = (): void => {
      const length = SLATS * APART;
      slats.forEach((slat, k) => {
        const way = k * APART - q[AHEAD];
        slat.position = [way - length * Math.floor(way / length) - length / 2, -SLAT[1], 0];
      });
    };
    show();
    return {
      props: [...carried(propsOf(runner, looksOf(description, materialOf)), () => q[AHEAD]), ...slats],
      beforeStep(time) {
        if (time < STARTED) passed = q[AHEAD];
        if (network) gait.observe(q, qd, network.input);
        gait.decide(q, qd, network ? correctionsOf(network.run()) : none, dt, runner.simulation.actuators.input);
        const [ahead, left] = pushes.next();
        runner.applyForce("pelvis", [ahead, 0, -left], runner.poseOf("pelvis").position);
      },
      afterStep() {
        show();
        meter.update();
        frames++;
        const up = apply({ ...identity, rotation: runner.poseOf("pelvis").rotation }, [0, 0, 1]);
        leaned = Math.max(leaned, Math.acos(Math.min(1, up[1])));
        aside = Math.max(aside, Math.abs(q[ASIDE]));
        q.forEach((angle, k) => (beyond = Math.max(beyond, model.lower[k] - angle, angle - model.upper[k])));
        energy += dt * workOf(runner);
        for (const foot of feet) foot.update();
        if (feet.every(({ isDown }) => !isDown)) air++;
      },
      measure() {
        const mass = model.mass.reduce((sum, value) => sum + value, 0);
        return Promise.resolve({
          ...(world.time > STARTED ? { hundred: (100 * (world.time - STARTED)) / (q[AHEAD] - passed) } : {}),
          leaned,
          aside,
          penetration: meter.deepest,
          slip: Math.max(...feet.map(({ most }) => most)),
          beyond,
          transport: energy / (mass * GRAVITY * q[AHEAD]),
          air: air / frames,
          way: q[AHEAD],
        });
      },
    };
  },
};

/** Power that servos give; what they take is lost [W]. */
function workOf({ simulation }: Mechanism): number {
  const { actuators, q, qd } = simulation;
  let sum = 0;
  actuators.compiled.forEach(({ dofs: [k], gain, bias, force }, i) => {
    const torque = gain * actuators.input[i] + bias[0] + bias[1] * q[k] + bias[2] * qd[k];
    sum += Math.max(0, Math.min(force[1], Math.max(force[0], torque)) * qd[k]);
  });
  return sum;
}

/** Props as a camera that runs along sees them. */
function carried(props: readonly Prop[], way: () => number): Prop[] {
  return props.map((prop): Prop => ({
    shape: prop.shape,
    material: prop.material,
    get position(): Vec3 {
      const [x, y, z] = prop.position!;
      return [x - way(), y, z];
    },
    get rotation() {
      return prop.rotation!;
    },
  }));
}

/** Ways of the points of a sole over the ground while they are on it. */
class SlipMeter {
  /** largest way of a point while it stayed on the ground [m] */
  most = 0;
  isDown = false;
  /** points on the ground in the link's axes, their places, and their ways so far */
  private readonly points = new Map<number, { readonly local: Vec3; readonly at: Vec3; readonly way: number }>();

  constructor(
    private readonly runner: Mechanism,
    private readonly sole: { readonly link: string; readonly ends: readonly Vec3[]; readonly radius: number },
  ) {}

  update(): void {
    const { link, ends, radius } = this.sole;
    const pose = { ...identity, ...this.runner.poseOf(link) };
    this.isDown = false;
    ends.forEach((end, k) => {
      const [x, y, z] = apply(pose, end);
      const before = this.points.get(k);
      if (y > radius + NEAR) {
        this.points.delete(k);
        return;
      }
      this.isDown = true;
      let way = before?.way ?? 0;
      if (before) {
        const now = apply(pose, before.local);
        way += Math.sqrt((now[0] - before.at[0]) ** 2 + (now[2] - before.at[2]) ** 2);
      }
      this.most = Math.max(this.most, way);
      const at: Vec3 = [x, y - radius, z];
      this.points.set(k, { local: apply(inverse(pose), at), at, way });
    });
  }
}

const materials: readonly (readonly [RegExp, PropMaterial])[] = [
  [/foot/, "rubber"],
  [/thigh|shin|pelvis/, "wood"],
  [/chest/, "amber"],
];

function materialOf(link: string): PropMaterial {
  return materials.find(([pattern]) => pattern.test(link))?.[1] ?? "clay";
}
