import { describe, expect, it } from "vitest";
import { boxTetrahedra, solidModel, World } from "../../../../../src/index";
import { FemBody } from "../../../../../src/solvers/newton/deformable/fem-body";
import type { FemModel } from "../../../../../src/solvers/newton/deformable/fem-model";
import { ContactNodes } from "../../../../../src/solvers/newton/deformable/problem/contact-nodes";
import type { SoftBlocks } from "../../../../../src/solvers/newton/deformable/problem/soft-blocks";
import { WholeBody } from "../../../../../src/solvers/newton/deformable/problem/whole-body";
import { BlockLu } from "../../../../../src/math/sparse/block-lu";
import { addFloor, rubber } from "../../../../world/newton/worlds";

const h = 1 / 60;
const block = (cells: [number, number, number], center: [number, number, number] = [0, 0, 0]) =>
  solidModel({
    solver: "newton",
    ...boxTetrahedra({ size: [0.1 * cells[0], 0.1 * cells[1], 0.1 * cells[2]], cells, center }),
    name: "block",
    material: rubber,
  });

/** A body turned by its velocities, pinned at three particles, with every third particle of the others in contact. */
function touched() {
  const body = new FemBody(block([3, 2, 2]) as FemModel);
  for (let i = 0; i < body.velocities.length; i++) body.velocities[i] = Math.sin(7 * i);
  body.fixed.fill(1, 4, 7);
  const contacts = new ContactNodes();
  contacts.clear(body);
  for (let p = 0; p < body.count; p += 3) if (body.fixed[p] === 0) contacts.add(p);
  const whole = new WholeBody(body.matrix.pattern);
  whole.replace(contacts, body);
  body.predict([0, -10, 0], h, true);
  body.balance(h);
  body.factor(h, "elements");
  contacts.update(body);
  whole.update();
  return { body, contacts, whole };
}

describe("a whole body among contacts", () => {
  it("responds as its particles in contact alone do", () => {
    const { contacts, whole } = touched();
    const at = 12;
    const answer = (part: SoftBlocks, isOneByOne: boolean): number[] => {
      const [f, y] = [new Float64Array(400), new Float64Array(400)];
      contacts.nodes.subarray(0, contacts.count).forEach((p, n) => {
        for (let d = 0; d < 3; d++) {
          const to = 3 * part.place[p] + d;
          f[at + to] = Math.cos(3 * n + d);
          if (isOneByOne) part.push(to, f[at + to], y, at);
        }
      });
      if (!isOneByOne) part.respond(f, y, at);
      const slots = [...contacts.nodes.subarray(0, contacts.count)].map((p) => at + 3 * part.place[p]);
      return slots.flatMap((to) => [y[to], y[to + 1], y[to + 2]]);
    };
    const expected = answer(contacts, false);
    for (const found of [answer(whole, false), answer(whole, true)])
      found.forEach((value, i) => expect(value).toBeCloseTo(expected[i], 9));
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.1);
  });

  it("knows A⁻¹ of every particle and its neighbors", () => {
    const { body, whole } = touched();
    const { pairs } = body.matrix.pattern;
    const [unit, column] = [new Float64Array(3 * body.count), new Float64Array(3 * body.count)];
    for (let i = 0; i < pairs.length; i += 2)
      for (const [p, q] of [
        [pairs[i], pairs[i + 1]],
        [pairs[i], pairs[i]],
      ]) {
        if (body.fixed[p] + body.fixed[q] > 0) continue;
        unit.fill(0)[3 * p + 1] = 1;
        body.solve(unit, column);
        for (let d = 0; d < 3; d++) {
          const [a, b] = [3 * whole.place[p] + 1, 3 * whole.place[q] + d];
          expect(whole.mobility(a, b)).toBeCloseTo(column[3 * q + d], 9);
          expect(whole.mobility(b, a)).toBeCloseTo(whole.mobility(a, b), 12);
        }
      }
  });

  it("gives factors its stiffness", () => {
    const { body, whole } = touched();
    const lu = new BlockLu();
    const first = 2;
    const edges: number[] = [];
    whole.addEdges((a, b) => edges.push(a, b), first);
    lu.setGraph(first + whole.vertexCount, Int32Array.from(edges), edges.length / 2);
    lu.clear();
    for (let v = 0; v < first; v++) for (let i = 0; i < 6; i++) lu.values[lu.diagonal(v) + 7 * i] = 1;
    whole.addStiffness(lu, first);
    expect(lu.factor()).toBe(true);
    const [b, x] = [new Float64Array(6 * (first + whole.vertexCount)), new Float64Array(3 * body.count)];
    const right = x.map((_, i) => (body.fixed[Math.floor(i / 3)] === 1 ? 0 : Math.sin(i)));
    body.solve(right, x);
    right.forEach((value, i) => (b[6 * first + 3 * whole.place[Math.floor(i / 3)] + (i % 3)] = value));
    lu.solve(b, b);
    x.forEach((value, i) => expect(b[6 * first + 3 * whole.place[Math.floor(i / 3)] + (i % 3)]).toBeCloseTo(value, 9));
  });

  it("lies on the ground as with a dense matrix", async () => {
    const run = async (linearMethod: "direct" | "pcr") => {
      const world = await World.create({ backend: "cpu" });
      world.rigid.configure({ linearMethod });
      const reports = (world.rigid.dynamics.reports = []) as { factors: number; products: number }[];
      addFloor(world);
      const body = world.addBody(block([7, 2, 7], [0, 0.1005, 0]));
      for (let frame = 0; frame < 2; frame++) world.step(h);
      const { positions } = await body.readState();
      world.dispose();
      return { positions, ...reports[0] };
    };
    const [direct, sparse] = [await run("direct"), await run("pcr")];
    // 64 particles in contact are 32 vertices.
    expect(sparse.factors).toBeGreaterThan(0);
    expect(sparse.products / sparse.factors).not.toBe((32 * 31 * 36) / 6);
    direct.positions.forEach((value: number, i: number) => expect(sparse.positions[i]).toBeCloseTo(value, 6));
  });
});
