import { World } from "babylon-pliant/engine";

const world = await World.create({ backend: "cpu" });
const ball = world.addRigidBody({ shape: { type: "sphere", radius: 0.5 } });
setInterval(() => world.step(1 / 60), 1000 / 60);
setInterval(() => console.log(ball.position), 1000);
