import { describe, expect, it } from "vitest";
import { updateKinematics } from "../../../../src/articulated/dynamics/kinematics";
import { factorMassMatrix, massMatrix, solveMass } from "../../../../src/articulated/dynamics/mass-matrix";
import { ArticulatedModel } from "../../../../src/articulated/model";
import { ArticulatedScratch } from "../../../../src/articulated/scratch";
import { BlockLu } from "../../../../src/math/sparse/block-lu";
import type { Linkage } from "../../../../src/solvers/newton/linkage/linkage";
import { LinkageVertices } from "../../../../src/solvers/newton/linkage/linkage-vertices";
import { randomState, randomTree } from "../../../articulated/random-mechanism";
import { RandomGeometry } from "../../../collision/random";

function randomLinkage(random: RandomGeometry, least: number, isFrozen = false): Linkage {
  const model = new ArticulatedModel(randomTree(random, least));
  const scratch = new ArticulatedScratch(model);
  const { q, qd } = randomState(random, model);
  updateKinematics(scratch, q, qd);
  massMatrix(scratch);
  factorMassMatrix(scratch);
  const nothing = (): void => undefined;
  return {
    size: model.nv,
    slots: [],
    limits: [],
    frictions: [],
    mass: scratch.mass,
    isFrozen,
    addForce: nothing,
    respond: (x) => (isFrozen ? x.fill(0) : solveMass(scratch, x)),
    addTwist: nothing,
    finish: nothing,
  };
}

describe("coordinates of linkages in sparse factors", () => {
  it.each([1, 5, 6, 7, 12, 13, 31])("respond as M⁻¹ of a tree of %i coordinates or a few more", (least) => {
    const random = new RandomGeometry(least);
    const list = [randomLinkage(random, least), randomLinkage(random, 3)];
    const vertices = new LinkageVertices();
    const begin = 2;
    const end = vertices.number(list, begin);
    expect(end).toBe(begin + Math.ceil(list[0].size / 6) + Math.ceil(list[1].size / 6));
    const edges: number[] = [];
    vertices.addEdges((a, b) => edges.push(a, b));
    const lu = new BlockLu();
    lu.setGraph(end, Int32Array.from(edges), edges.length / 2);
    lu.clear();
    for (let v = 0; v < begin; v++) for (let i = 0; i < 6; i++) lu.values[lu.diagonal(v) + 7 * i] = 1;
    vertices.addInertia(lu);
    expect(lu.factor()).toBe(true);
    const force = Float64Array.from({ length: 6 * end }, () => random.between(-1, 1));
    const [solved, answer] = [new Float64Array(6 * end), new Float64Array(6 * end)];
    lu.solve(force, solved);
    vertices.respond(force, answer);
    list.forEach(({ size }, i) => {
      for (let k = vertices.starts[i]; k < vertices.starts[i] + size; k++) {
        expect(vertices.has(Math.floor(k / 6))).toBe(true);
        expect(solved[k]).toBeCloseTo(answer[k], 8);
      }
    });
  });

  it("has no blocks between branches, and none of a frozen linkage", () => {
    const random = new RandomGeometry(5);
    const linkage = randomLinkage(random, 40);
    const vertices = new LinkageVertices();
    vertices.number([linkage, randomLinkage(random, 13, true)], 0);
    const coupled = new Set<string>();
    vertices.addEdges((a, b) => coupled.add(`${a} ${b}`));
    const expected = new Set<string>();
    for (let i = 0; i < linkage.size; i++)
      for (let j = 0; j < i; j++)
        if (linkage.mass[i * linkage.size + j] !== 0 && Math.floor(i / 6) !== Math.floor(j / 6))
          expected.add(`${Math.floor(j / 6)} ${Math.floor(i / 6)}`);
    expect(coupled).toEqual(expected);
    const blocks = Math.ceil(linkage.size / 6);
    expect(coupled.size).toBeLessThan((blocks * (blocks - 1)) / 2);
  });
});
