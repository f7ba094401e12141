// A showcase that fills a page: alone.html?scene=silk-reveal

import type { Parameter } from "../scene";
import { showcases } from "../showcases/index";
import { button, element, parameterField } from "./controls";
import { actionsOf, parametersOf, setControl } from "./showcase-session";
import { labelOf } from "./words";

async function show(name: string): Promise<void> {
  const { title, load } = showcases[name];
  document.title = `${title} · Pliant`;
  const { scene, controls } = await (await load()).createScene();
  const field = (parameter: Parameter): HTMLElement =>
    parameterField({ ...parameter, label: labelOf(parameter), help: "" }, parameter.default, (value) =>
      setControl(controls[parameter.name], value),
    );
  document
    .querySelector("#controls")!
    .replaceChildren(
      ...parametersOf(controls).map(field),
      ...actionsOf(controls).map((action) => button(labelOf(action), () => action.press())),
    );
  scene.getEngine().runRenderLoop(() => scene.render());
}

const name = new URLSearchParams(location.search).get("scene") ?? "";
if (Object.hasOwn(showcases, name)) void show(name);
else document.body.replaceChildren(element("p", {}, `No showcase is called "${name}".`));
