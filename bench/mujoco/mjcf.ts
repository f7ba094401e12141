import type { Frame, LinkDescription, LinkShape, MechanismDescription } from "../../src/articulated/description";
import { perDof } from "../../src/articulated/validate";
import type { Vec3 } from "../../src/math/types";
import { PliantError } from "../../src/errors";

/** The options of the whole model. */
export interface MjcfOptions {
  /** [s] */
  readonly timeStep: number;
  readonly integrator: "Euler" | "RK4" | "implicitfast";
  /** [m/s²] */
  readonly gravity: Vec3;
  /** Shapes of the world; without them contact is switched off. */
  readonly ground?: readonly LinkShape[];
}

/**
 * A mechanism as MJCF, with one motor of unit gear for every coordinate in our order. Frames must not be turned, and the joints must be of
 * the kinds in the samples: welds, hinges, slides, planes and free joints. A MuJoCo body's frame is our joint frame in the link. Limits are
 * left out.
 *
 * @throws PliantError `unsupported` for other joints, shapes, or turned frames
 */
export function toMjcf(mechanism: MechanismDescription, options: MjcfOptions): string {
  const contact = options.ground !== undefined;
  const motors: string[] = [];
  const roots = mechanism.links.filter((link) => link.parent === undefined);
  const bodies = roots.map((link, i) => body(link, mechanism, motors, contact ? i + 1 : undefined)).join("");
  const ground = (options.ground ?? []).map((shape) => geom(shape, [0, 0, 0], 0)).join("");
  return `<mujoco model="${mechanism.name}">
  <compiler angle="radian" inertiafromgeom="false"/>
  <option timestep="${options.timeStep}" integrator="${options.integrator}" gravity="${options.gravity.join(" ")}">
    ${contact ? "" : '<flag contact="disable" constraint="disable"/>'}
  </option>
  <worldbody>${ground}${bodies}</worldbody>
  <actuator>${motors.join("")}</actuator>
</mujoco>`;
}

function body(
  link: LinkDescription,
  mechanism: MechanismDescription,
  motors: string[],
  tree: number | undefined,
): string {
  const parent = mechanism.links.find(({ name }) => name === link.parent);
  const parentOrigin = parent === undefined ? zero : position(parent.joint.childFrame, parent);
  const origin = position(link.joint.childFrame, link);
  const place = minus(position(link.joint.parentFrame, link), parentOrigin);
  const centre = minus(link.centerOfMass ?? zero, origin);
  const [xx, yy, zz, xy, xz, yz] = link.inertia ?? [1e-12, 1e-12, 1e-12, 0, 0, 0];
  const inertial =
    link.mass > 0
      ? `<inertial pos="${centre.join(" ")}" mass="${link.mass}" fullinertia="${[xx, yy, zz, xy, xz, yz].join(" ")}"/>`
      : "";
  const shapes = tree === undefined ? "" : (link.shapes ?? []).map((shape) => geom(shape, origin, tree)).join("");
  const children = mechanism.links
    .filter(({ parent: name }) => name === link.name)
    .map((child) => body(child, mechanism, motors, tree))
    .join("");
  const free = link.joint.type === "free";
  // the coordinates alone place a MuJoCo free joint
  const pose = free ? freePlace(link, place) : place;
  return `<body name="${link.name}" pos="${pose.join(" ")}">${inertial}${joints(link, motors)}${shapes}${children}</body>`;
}

function freePlace({ joint }: LinkDescription, place: Vec3): Vec3 {
  const at = (index: number) => place[index] + perDof(joint.initialPosition, 3 + index, 0);
  return [at(0), at(1), at(2)];
}

function joints(link: LinkDescription, motors: string[]): string {
  const { joint } = link;
  const axes: [type: "hinge" | "slide", axis: Vec3][] = [];
  switch (joint.type) {
    case "weld":
      return "";
    case "revolute":
      axes.push(["hinge", joint.axis ?? [0, 0, 1]]);
      break;
    case "prismatic":
      axes.push(["slide", joint.axis ?? [0, 0, 1]]);
      break;
    case "translational-2d":
      axes.push(["slide", joint.axis ?? [1, 0, 0]], ["slide", joint.secondAxis ?? [0, 1, 0]]);
      break;
    case "free":
      // the motors of a free joint push along its six velocities
      for (let d = 0; d < 6; d++) {
        const gear = Array.from({ length: 6 }, (_, i) => (i === d ? 1 : 0)).join(" ");
        motors.push(`<motor joint="${link.name}" gear="${gear}"/>`);
      }
      return `<freejoint name="${link.name}"/>`;
    default:
      throw new PliantError("unsupported", `link "${link.name}".joint.type`, joint.type, "has no MJCF writer");
  }
  return axes
    .map(([type, axis], d) => {
      const name = `${link.name} ${d}`;
      motors.push(`<motor joint="${name}" gear="1"/>`);
      const figures = [
        ["damping", perDof(joint.damping, d, 0)],
        ["stiffness", perDof(joint.stiffness, d, 0)],
        ["springref", perDof(joint.restPosition, d, 0)],
        ["armature", perDof(joint.armature, d, 0)],
      ] as const;
      const attributes = figures.map(([key, value]) => `${key}="${value}"`).join(" ");
      return `<joint name="${name}" type="${type}" axis="${axis.join(" ")}" ${attributes} limited="false"/>`;
    })
    .join("");
}

/** @param tree number of the tree of links, 0 the world's: links of one tree do not touch each other, all others do */
function geom(entry: LinkShape, origin: Vec3, tree: number): string {
  const { shape } = entry;
  const at = minus(entry.position ?? zero, origin);
  const own = 1 << tree;
  const bits = `contype="${own}" conaffinity="${0x7fffffff & ~own}"`;
  const common = `${bits} friction="${entry.friction ?? 1} 0 0"`;
  const moved = (p: Vec3) => [p[0] + at[0], p[1] + at[1], p[2] + at[2]].join(" ");
  switch (shape.type) {
    case "box":
      return `<geom type="box" size="${shape.halfExtents.join(" ")}" pos="${moved(shape.center ?? zero)}" ${common}/>`;
    case "sphere":
      return `<geom type="sphere" size="${shape.radius}" pos="${moved(shape.center ?? zero)}" ${common}/>`;
    case "capsule":
      return `<geom type="capsule" size="${shape.radius}" fromto="${moved(shape.pointA)} ${moved(shape.pointB)}" ${common}/>`;
    default:
      throw new PliantError("unsupported", "shape.type", shape.type, "has no MJCF writer");
  }
}

const zero: Vec3 = [0, 0, 0];

function position(frame: Frame | undefined, link: LinkDescription): Vec3 {
  const [x, y, z] = frame?.rotation ?? [0, 0, 0, 1];
  if (x !== 0 || y !== 0 || z !== 0)
    throw new PliantError("unsupported", `link "${link.name}".joint`, frame?.rotation, "frames must not be turned");
  return frame?.position ?? zero;
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}
