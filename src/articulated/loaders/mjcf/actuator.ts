import type { ActuatorDescription } from "../../actuators/description";
import type { JointDescription, LinkDescription } from "../../description";
import { actuatorTags, type Defaults } from "./defaults";
import type { Compiler } from "./values";
import type { Notes } from "../notes";
import type { FileElement } from "../xml";
import type { Tendon } from "./tendon";

/** Kinds of actuators whose force is that of `ActuatorDescription`. */
const supported = new Set(["general", "motor", "position", "velocity"]);

/** Numbers of an actuator, which defaults and the element itself change one after the other. */
interface Draft {
  gain: readonly number[];
  bias: readonly number[];
  /** Whether the force depends on length and speed. */
  isAffine: boolean;
  gear: number;
  controlRange: [number, number] | undefined;
  controlLimited: string;
  forceRange: [number, number] | undefined;
  forceLimited: string;
  inheritsRange: number;
  dampingRatio: number;
  /** The parts of its kind, and of its gears, that are left out. */
  unsupported: string | undefined;
  badGear: string | undefined;
}

/** Actuators of a file, what was read of them, and the damping ratios that are to become gains. */
export interface ReadActuators {
  readonly actuators: readonly ActuatorDescription[];
  /** Damping ratio of each position servo, 0 for those with a gain. */
  readonly dampingRatios: readonly number[];
  /** for each element of `<actuator>`: its place in `actuators`, or −1 */
  readonly order: readonly number[];
}

/** Joints of one coordinate, and tendons, which actuators may drive. */
export interface Transmissions {
  readonly joints: ReadonlyMap<string, JointDescription>;
  readonly tendons: ReadonlyMap<string, Tendon>;
}

/** The length that an actuator seeks, and its range. */
type Driven = Pick<Tendon, "joints" | "path" | "range">;

/** Reads `<actuator>`. @throws PliantError for an unknown joint or tendon, or a range upside down */
export function readActuators(
  root: FileElement,
  defaults: Defaults,
  transmissions: Transmissions,
  compiler: Compiler,
  notes: Notes,
): ReadActuators {
  const actuators: ActuatorDescription[] = [];
  const dampingRatios: number[] = [];
  const order: number[] = [];
  for (const element of root.childrenNamed("actuator").flatMap(({ children }) => children)) {
    order.push(-1);
    if (!actuatorTags.has(element.tag)) continue;
    const draft = blank();
    for (const source of defaults.actuatorsFor(element)) apply(draft, source);
    apply(draft, element);
    element.pass("group", "user");
    const driven = drivenLength(element, transmissions);
    const problem = draft.unsupported ?? draft.badGear ?? (typeof driven === "string" ? driven : undefined);
    if (problem !== undefined || typeof driven === "string") {
      notes.add(element, `is left out: ${problem}`);
      continue;
    }
    order[order.length - 1] = actuators.length;
    dampingRatios.push(draft.dampingRatio);
    const name = element.attribute("name") ?? `actuator ${order.length - 1}`;
    actuators.push(finished(element, name, draft, driven, compiler));
  }
  return { actuators, dampingRatios, order };
}

function blank(): Draft {
  return {
    gain: [1, 0, 0],
    bias: [0, 0, 0],
    isAffine: false,
    gear: 1,
    controlRange: undefined,
    controlLimited: "auto",
    forceRange: undefined,
    forceLimited: "auto",
    inheritsRange: 0,
    dampingRatio: 0,
    unsupported: undefined,
    badGear: undefined,
  };
}

/** Applies an element, or a default, to the numbers so far. */
function apply(draft: Draft, element: FileElement): void {
  const pair = (name: string): [number, number] | undefined => {
    const numbers = element.numbers(name, 2);
    return numbers === undefined ? undefined : [numbers[0], numbers[1]];
  };
  const gear = element.numbers("gear", 1, 6);
  if (gear !== undefined) {
    draft.gear = gear[0];
    draft.badGear = undefined;
    if (gear.slice(1).some((value) => value !== 0)) draft.badGear = "gears of several directions";
  }
  draft.controlRange = pair("ctrlrange") ?? draft.controlRange;
  draft.forceRange = pair("forcerange") ?? draft.forceRange;
  draft.controlLimited = element.choice("ctrllimited", ["true", "false", "auto"]) ?? draft.controlLimited;
  draft.forceLimited = element.choice("forcelimited", ["true", "false", "auto"]) ?? draft.forceLimited;
  if (element.tag !== "general") draft.unsupported = undefined;
  switch (element.tag) {
    case "general":
      applyGeneral(draft, element);
      return;
    case "motor":
      draft.gain = [1, 0, 0];
      draft.isAffine = false;
      return;
    case "position": {
      const k = element.number("kp") ?? draft.gain[0];
      const d = element.number("kv");
      draft.gain = [k, 0, 0];
      draft.bias = [0, -k, d === undefined ? draft.bias[2] : -d];
      draft.isAffine = true;
      draft.dampingRatio = element.number("dampratio") ?? draft.dampingRatio;
      draft.inheritsRange = element.number("inheritrange") ?? draft.inheritsRange;
      if ((element.number("timeconst") ?? 0) !== 0) draft.unsupported = "a filter of its control";
      return;
    }
    case "velocity": {
      const d = element.number("kv") ?? draft.gain[0];
      draft.gain = [d, 0, 0];
      draft.bias = [0, 0, -d];
      draft.isAffine = true;
      return;
    }
    default:
      element.pass();
      if (!supported.has(element.tag)) draft.unsupported = `its kind, ${element.tag}`;
  }
}

function applyGeneral(draft: Draft, element: FileElement): void {
  const padded = (numbers: readonly number[], rest: readonly number[]): readonly number[] =>
    [0, 1, 2].map((i) => numbers[i] ?? rest[i]);
  const [gain, bias] = [element.numbers("gainprm", 1, 10), element.numbers("biasprm", 1, 10)];
  if (gain !== undefined) draft.gain = padded(gain, draft.gain);
  if (bias !== undefined) draft.bias = padded(bias, draft.bias);
  const [dynamics, gainType, biasType] = ["dyntype", "gaintype", "biastype"].map((name) => element.attribute(name));
  if (biasType !== undefined) draft.isAffine = biasType === "affine";
  if (dynamics !== undefined && dynamics !== "none") draft.unsupported = `dynamics of the kind ${dynamics}`;
  if (gainType !== undefined && gainType !== "fixed") draft.unsupported = `a gain of the kind ${gainType}`;
  if (biasType !== undefined && biasType !== "none" && biasType !== "affine")
    draft.unsupported = `a bias of the kind ${biasType}`;
  if (dynamics === "none") element.pass("dynprm");
}

/** The joints or the tendon that an actuator drives, or why it can drive none. */
function drivenLength(element: FileElement, { joints, tendons }: Transmissions): Driven | string {
  const name = element.attribute("joint") ?? element.attribute("jointinparent");
  if (name !== undefined) {
    const joint = joints.get(name);
    if (joint === undefined) throw element.error("joint must be one of the file's", name);
    if (joint.type !== "revolute" && joint.type !== "prismatic") return `a joint of the kind ${joint.type}`;
    const { lower, upper } = joint;
    const range = typeof lower === "number" && typeof upper === "number" ? ([lower, upper] as const) : undefined;
    return { joints: [{ joint: name, coefficient: 1 }], path: [], range };
  }
  const tendon = element.attribute("tendon");
  if (tendon === undefined) return "it does not drive a joint";
  const driven = tendons.get(tendon);
  if (driven === undefined) throw element.error("tendon must be one of the file's", tendon);
  return driven.problem ?? driven;
}

function finished(
  element: FileElement,
  name: string,
  draft: Draft,
  driven: Driven,
  { autoLimits }: Compiler,
): ActuatorDescription {
  const bounds = (range: [number, number] | undefined, limited: string, what: string): [number, number] | undefined => {
    if (limited === "true" && range === undefined) throw element.error(`needs a ${what}`, limited);
    if (range === undefined || limited === "false" || (limited === "auto" && !autoLimits)) return undefined;
    if (!(range[0] < range[1])) throw element.error(`${what} must begin below its end`, range);
    return range;
  };
  const controlRange = inherited(draft, driven) ?? bounds(draft.controlRange, draft.controlLimited, "ctrlrange");
  const forceRange = bounds(draft.forceRange, draft.forceLimited, "forcerange");
  const [b0, b1, b2] = draft.isAffine ? draft.bias : [0, 0, 0];
  return {
    name,
    joints: driven.joints.map(({ joint, coefficient }) => ({ joint, coefficient: coefficient * draft.gear })),
    ...(driven.path.length === 0
      ? {}
      : { path: driven.path.map(({ weight, points }) => ({ weight: weight * draft.gear, points })) }),
    gain: draft.gain[0],
    bias: [b0, b1, b2],
    ...(controlRange === undefined ? {} : { controlRange }),
    ...(forceRange === undefined ? {} : { forceRange }),
  };
}

/** The range of what is driven as the range of the control, about its middle. */
function inherited({ inheritsRange }: Draft, { range }: Driven): [number, number] | undefined {
  if (!(inheritsRange > 0) || range === undefined) return undefined;
  const [middle, half] = [(range[0] + range[1]) / 2, ((range[1] - range[0]) / 2) * inheritsRange];
  return [middle - half, middle + half];
}

/**
 * The actuators with the bounds of `actuatorfrcrange`, for joints with one actuator.
 *
 * @param note reports a joint with several
 */
export function boundByJoints(
  actuators: readonly ActuatorDescription[],
  joints: ReadonlyMap<string, JointDescription>,
  note: (joint: string) => void,
): ActuatorDescription[] {
  const counts = new Map<string, number>();
  for (const { joint } of actuators.flatMap((actuator) => actuator.joints))
    counts.set(joint, (counts.get(joint) ?? 0) + 1);
  return actuators.map((actuator) => {
    let [low, high] = actuator.forceRange ?? [-Infinity, Infinity];
    for (const { joint, coefficient } of actuator.joints) {
      const limit = joints.get(joint)?.effortLimit as number | undefined;
      if (limit === undefined || coefficient === 0) continue;
      if (counts.get(joint)! > 1) note(joint);
      else {
        low = Math.max(low, -limit / Math.abs(coefficient));
        high = Math.min(high, limit / Math.abs(coefficient));
      }
    }
    return low < high && (low > -Infinity || high < Infinity) ? { ...actuator, forceRange: [low, high] } : actuator;
  });
}

/**
 * The links with their joints' limits of effort: the largest force of the actuators of each, at most that of
 * `actuatorfrcrange`. If the file has actuators, joints without an actuator get a limit of zero.
 */
export function limitEfforts(
  links: readonly LinkDescription[],
  actuators: readonly ActuatorDescription[],
): LinkDescription[] {
  if (actuators.length === 0) return [...links];
  const efforts = new Map<string, number>();
  const most = (range: readonly [number, number] | undefined): number =>
    range === undefined ? Infinity : Math.max(Math.abs(range[0]), Math.abs(range[1]));
  for (const { joints, gain, bias, controlRange, forceRange } of actuators) {
    const isMotor = bias.every((value) => value === 0);
    const force = Math.min(isMotor && gain !== 0 ? Math.abs(gain) * most(controlRange) : Infinity, most(forceRange));
    for (const { joint, coefficient } of joints)
      if (coefficient !== 0) efforts.set(joint, (efforts.get(joint) ?? 0) + Math.abs(coefficient) * force);
  }
  return links.map((link) => {
    if (link.joint.type === "weld") return link;
    const effort = link.joint.name === undefined ? 0 : (efforts.get(link.joint.name) ?? 0);
    const { effortLimit = Infinity } = link.joint;
    const limit = Math.min(effort, effortLimit as number);
    return limit === Infinity ? link : { ...link, joint: { ...link.joint, effortLimit: limit } };
  });
}
