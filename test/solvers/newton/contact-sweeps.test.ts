import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contactSweepsModule } from "../../../src/generated/assembly";
import { BodyTable, Motion } from "../../../src/solvers/newton/motion/bodies";
import {
  BLOCK_BYTES,
  BODY_BYTES,
  type ContactSweeps,
  PLACES_AT,
} from "../../../src/solvers/newton/contact/contact-blocks";
import { ContactRows } from "../../../src/solvers/newton/contact/contacts";
import { IslandSystem } from "../../../src/solvers/newton/island/island-system";
import { PackedIsland } from "../../../src/solvers/newton/island/packed-island";
import { JointRows } from "../../../src/solvers/newton/contact/rows";
import { ScalarSweeps } from "../../../src/solvers/newton/island/scalar-sweeps";
import { wasmSweeps } from "../../../src/solvers/newton/island/wasm-sweeps";

/** Numbers of any size and sign, including zeros of both signs. */
const number = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.constantFrom(0, -0, 1e-300, -1e-12, 1e6, -1e6),
);

/** Pairs of touching bodies; body 0 is immovable. */
const island = fc.integer({ min: 2, max: 12 }).chain((bodyCount) =>
  fc.record({
    bodyCount: fc.constant(bodyCount),
    pairs: fc.array(
      fc.tuple(fc.nat(bodyCount - 1), fc.nat(bodyCount - 2)).map(([a, b]): [number, number] => [a, b < a ? b : b + 1]),
      { minLength: 1, maxLength: 40 },
    ),
    numbers: fc.array(number, { minLength: 64, maxLength: 64 }),
  }),
);
type Island = { bodyCount: number; pairs: [number, number][]; numbers: number[] };

function systemOf({ bodyCount, pairs, numbers }: Island): IslandSystem {
  let next = 0;
  const draw = (): number => numbers[next++ % numbers.length];
  const bodies = new BodyTable();
  const { model, state, scratch } = bodies;
  for (let slot = 0; slot < bodyCount; slot++) {
    bodies.append();
    for (let i = 0; i < 6; i++) {
      state.velocity[6 * slot + i] = draw();
      scratch.freeVelocity[6 * slot + i] = draw();
    }
    if (slot === 0) continue;
    model.motion[slot] = Motion.dynamic;
    model.inertia.fill(1, 3 * slot, 3 * slot + 3);
    scratch.inverseMass[slot] = 0.1 + Math.abs(draw());
    scratch.worldInverseInertia.set([3, 0.2, -0.1, 2, 0.3, 4], 6 * slot);
  }
  const contacts = new ContactRows();
  for (const [a, b] of pairs) {
    const pointA = Float64Array.of(draw(), draw(), draw());
    const gap = 1e-3 * draw();
    const tilt = 0.5 / (1 + Math.abs(draw()));
    const normal = Float64Array.of(tilt, Math.sqrt(1 - tilt * tilt), 0);
    const pointB = pointA.map((x, i) => x + gap * normal[i]);
    const c = contacts.add(bodies, a, b, { pointA, pointB, normal, separation: Float64Array.of(gap) }, 0);
    contacts.friction[c] = Math.abs(draw());
    contacts.impulse[3 * c] = Math.abs(draw());
    contacts.impulse[3 * c + 1] = draw();
    contacts.impulse[3 * c + 2] = draw();
  }
  const system = new IslandSystem(bodies, contacts, new JointRows());
  system.bodyList = Int32Array.from({ length: bodyCount - 1 }, (_, k) => k + 1);
  system.firstBody = 0;
  system.bodyCount = bodyCount - 1;
  system.select(0, pairs.length, 0, 0);
  return system;
}

/** Blocks of a sweep, as contacts [A, B] of each: numbers of packed bodies, 0 for none. */
class Recorder extends ScalarSweeps {
  readonly blocks: [number, number][][] = [];

  override sweep(first: number, end: number, stride: number): void {
    for (let block = first; block !== end; block += stride) {
      const at = (block + PLACES_AT) / 4;
      const [a0, a1, b0, b1] = [...this.places.subarray(at, at + 4)].map((place) => place / BODY_BYTES);
      this.blocks.push([
        [a0, b0],
        [a1, b1],
      ]);
    }
  }
}

function statesOf(system: IslandSystem): number[] {
  const { contacts, bodies } = system;
  const impulses = contacts.impulse.subarray(0, 3 * contacts.count);
  return [...impulses, ...bodies.scratch.velocity, ...bodies.state.pose];
}

/** Takes an island through three small steps. */
function solve(sweeps: ContactSweeps, system: IslandSystem): void {
  const packed = new PackedIsland(sweeps);
  packed.pack(system, 1 / 60, 3);
  for (let step = 0; step < 3; step++) {
    if (step === 0) packed.begin();
    else packed.goOn();
    packed.sweep(true);
    packed.sweep(false);
    packed.advance();
    packed.separate(0.3, 2e-3, 3);
  }
  packed.unpack(system, 1 / 60, 3);
}

/** Bytes of the memory up to the largest size of an island: signs of zeros and all. */
function bytesOf({ numbers }: ContactSweeps, { bodyCount, contactCount }: IslandSystem): Buffer {
  return Buffer.from(numbers.buffer).subarray(0, 2 * BODY_BYTES * (bodyCount + 2) + BLOCK_BYTES * contactCount);
}

describe("sweeps of small steps", () => {
  it("are a module that browsers compile at once, and that this engine has", () => {
    expect(atob(contactSweepsModule).length).toBeLessThan(4096);
    expect(wasmSweeps()).toBeDefined();
  });

  it("have the same bits in WebAssembly as in TypeScript", () => {
    fc.assert(
      fc.property(island, (description) => {
        const scalar = systemOf(description);
        const vector = systemOf(description);
        const typescript = new ScalarSweeps();
        const wasm = wasmSweeps()!;
        solve(typescript, scalar);
        solve(wasm, vector);
        const expected = bytesOf(typescript, scalar);
        expect(bytesOf(wasm, vector).subarray(0, expected.length).equals(expected)).toBe(true);
        expect(statesOf(vector)).toEqual(statesOf(scalar));
      }),
      { numRuns: 80 },
    );
  });

  it("visit contacts of a body in the order of pairs, and never two of one body at once", () => {
    fc.assert(
      fc.property(island, (description) => {
        const recorder = new Recorder();
        const packed = new PackedIsland(recorder);
        packed.pack(systemOf(description), 1 / 60, 1);
        packed.sweep(true);
        packed.sweep(false);
        const half = recorder.blocks.length / 2;
        const forwards = recorder.blocks.slice(0, half);
        expect(recorder.blocks.slice(half)).toEqual(forwards.toReversed());
        // Packed bodies: those of the island are 1 to n in its order; the immovable one comes last.
        const { bodyCount, pairs } = description;
        for (let body = 1; body < bodyCount; body++) {
          const visits = forwards.flatMap((block) => {
            const own = block.filter((pair) => pair.includes(body));
            expect(own.length).toBeLessThan(2);
            return own;
          });
          const named = visits.map((pair) => pair.map((k) => (k === bodyCount ? 0 : k)));
          expect(named).toEqual(pairs.filter((pair) => pair.includes(body)));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("leave alone what was in their memory before", () => {
    const description: Island = { bodyCount: 3, pairs: [[0, 1], [1, 2], [1, 0]], numbers: [0.5, -1, 2, 0.25] }; // oxfmt-ignore
    const used = new ScalarSweeps();
    used.reserve(1e5);
    used.numbers.fill(NaN);
    const expected = systemOf(description);
    const actual = systemOf(description);
    solve(new ScalarSweeps(), expected);
    solve(used, actual);
    expect(statesOf(actual)).toEqual(statesOf(expected));
  });
});
