import { describe, expect, it } from "vitest";
import { clothModel, gridMesh } from "../../../../src/index";
import { createWorld } from "../../../world/worlds";

const frameTime = 1 / 60;
const RADIUS = 0.1;
const HEIGHT = 1;

/**
 * A ball goes from below into a sheet that is held by its corners, further than the sheet reaches.
 *
 * @param size of all
 * @returns vertices of the middle that are below the center of the ball, and the largest stretch of an edge
 */
async function pushedBy(
  size: number,
  way: number,
  speed: number,
  backend: "cpu" | "reference" | "webgpu",
  segments: number,
) {
  const world = await createWorld(backend, { gravity: [0, -9.81 * size, 0] });
  const mesh = gridMesh({
    width: size,
    height: size,
    columns: segments,
    rows: segments,
    center: [0, HEIGHT * size, 0],
  });
  const body = world.addBody(clothModel({ ...mesh, fabric: "cotton" }));
  const row = segments + 1;
  body.pin([0, segments, row * segments, row * row - 1]);
  const ball = world.addCollider({ type: "sphere", radius: RADIUS * size });
  let height = -2 * RADIUS;
  while (height < way) {
    height = Math.min(way, height + speed * frameTime);
    ball.setPose([0, (HEIGHT + height) * size, 0]);
    world.step(frameTime);
    await world.settled();
  }
  for (let frame = 0; frame < 30; frame++) world.step(frameTime);
  const { positions: x } = await body.readState();
  world.dispose();
  let below = 0;
  for (let i = 0; i < x.length; i += 3) {
    const isInMiddle = x[i]! ** 2 + x[i + 2]! ** 2 < (0.6 * RADIUS * size) ** 2;
    if (isInMiddle && x[i + 1]! < (HEIGHT + way) * size) below++;
  }
  return below;
}

describe("a ball that goes further than a held sheet reaches", () => {
  it.each([
    [1, 0.25, 2, "cpu", 24],
    [1, 0.25, 0.5, "cpu", 17],
    [0.1, 0.3, 10, "cpu", 24],
    [10, 0.2, 2, "cpu", 12],
    [1, 0.25, 2, "reference", 12],
    [1, 0.3, 2, "webgpu", 24],
    [0.1, 0.3, 1, "webgpu", 17],
  ] as const)(
    "stretches it: %f m, %f sizes at %f a second, %s, %i segments",
    async (size, way, speed, backend, segments) => {
      expect(await pushedBy(size, way, speed, backend, segments)).toBe(0);
    },
  );
});
