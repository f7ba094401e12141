// Runs in plain Node: save it as headless.mjs.

import { World, clothModel, gridMesh } from "babylon-pliant/engine";

const world = await World.create({ backend: "cpu" });
world.addCollider({ type: "sphere", radius: 0.3 });
const grid = gridMesh({
  width: 1,
  height: 1,
  columns: 16,
  rows: 16,
  center: [0, 0.35, 0],
});
const cloth = world.addBody(clothModel({ ...grid, fabric: "denim" }));
for (let frame = 1; frame <= 60; frame++) {
  world.step(1 / 60);
  if (frame % 20 > 0) continue;
  const heights = (await cloth.readPositions()).filter((_, i) => i % 3 === 1);
  console.log(
    `${world.time.toFixed(2)} s: lowest vertex at ${Math.min(...heights).toFixed(3)} m`,
  );
}
world.dispose();
