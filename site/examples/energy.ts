import { MeshBuilder, Vector3 } from "@babylonjs/core";
import {
  defineEnergy,
  PliantPlugin,
  SoftBodyAggregate,
  type DefinedEnergy,
} from "babylon-pliant";
import { createStudio } from "./studio";

const { engine, scene, paint, show } = await createStudio({
  floor: "#8fa3a8",
  wall: "#e3ebea",
  target: new Vector3(0, 1.05, 0),
  radius: 2.9,
  alpha: -1.45,
  beta: 1.4,
});
const plugin = await PliantPlugin.CreateAsync(engine);
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);

// Neo-Hookean rubber, and the same with fibers along the bar (y).
const parameters = { mu: 9e3, lambda: 4e4 };
const rubber = "mu/2*(I1-3) - mu*log(J) + lambda/2*log(J)^2";
const plain = defineEnergy({ strain: "green-tet", energy: rubber, parameters });
const fibers = defineEnergy({
  strain: "green-tet",
  energy: `${rubber} + k/2*Eyy^2`,
  parameters: { ...parameters, k: 4e5 },
});

const clamp = MeshBuilder.CreateBox(
  "clamp",
  { width: 1.2, height: 0.08, depth: 0.3 },
  scene,
);
clamp.position.y = 1.5;
show(paint("#5a4636", { roughness: 0.6 }), clamp);

async function hang(
  energy: DefinedEnergy,
  x: number,
  color: string,
): Promise<void> {
  const bar = MeshBuilder.CreateBox(
    "bar",
    { width: 0.16, height: 0.7, depth: 0.16 },
    scene,
  );
  bar.position.set(x, 1.12, 0);
  const glossy = paint(color, { roughness: 0.25 });
  glossy.clearCoat.isEnabled = true;
  show(glossy, bar);
  const body = new SoftBodyAggregate(
    bar,
    { energy, density: 1500, resolution: 12 },
    scene,
  );
  await body.pinWhere(({ y }) => y > 1.46);
}
await hang(plain, -0.3, "#d9485f");
await hang(fibers, 0.3, "#2f7fa8");

engine.runRenderLoop(() => scene.render());
