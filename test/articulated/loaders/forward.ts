import { expect } from "vitest";
import type { Frame, LinkDescription, MechanismDescription } from "../../../src/articulated/description";
import {
  apply,
  axisAngle,
  identity,
  inverse,
  multiply,
  type Transform,
} from "../../../src/articulated/loaders/transform";
import type { Vec3 } from "../../../src/index";

/** Forward kinematics of hinges, slides and welds, straight from the definition of a description. */
export function posesOf(mechanism: MechanismDescription, q: Readonly<Record<string, number>>): Map<string, Transform> {
  const poses = new Map<string, Transform>();
  for (const link of mechanism.links) {
    const parent = link.parent === undefined ? identity : poses.get(link.parent)!;
    const { parentFrame, childFrame } = link.joint;
    const local = multiply(multiply(frame(parentFrame), motion(link, q[link.name] ?? 0)), inverse(frame(childFrame)));
    poses.set(link.name, multiply(parent, local));
  }
  return poses;
}

function frame(given: Frame | undefined): Transform {
  return { ...identity, ...given };
}

function motion({ joint, name }: LinkDescription, q: number): Transform {
  const axis = joint.axis ?? [0, 0, 1];
  const length = Math.hypot(...axis);
  switch (joint.type) {
    case "weld":
      return identity;
    case "revolute":
      return { ...identity, rotation: axisAngle(axis, q) };
    case "prismatic":
      return { ...identity, position: axis.map((value) => (value / length) * q) as unknown as Vec3 };
    default:
      throw new Error(`no motion of ${joint.type} for ${name}`);
  }
}

export function expectClose(actual: readonly number[], expected: readonly number[], digits = 9): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => expect(actual[i], `[${i}]`).toBeCloseTo(value, digits));
}

/** Place of a point of a link. */
export function pointOf(poses: Map<string, Transform>, link: string, point: Vec3 = [0, 0, 0]): number[] {
  return [...apply(poses.get(link)!, point)];
}

export function linkNamed(mechanism: MechanismDescription, name: string): LinkDescription {
  return mechanism.links.find((link) => link.name === name)!;
}

/** The line of a text where a snippet first occurs, from 1. */
export function lineOf(text: string, snippet: string): number {
  return text.split("\n").findIndex((line) => line.includes(snippet)) + 1;
}
