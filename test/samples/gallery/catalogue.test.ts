import { expect, it } from "vitest";
import { catalogue } from "../../../samples/gallery/catalogue";
import { matches } from "../../../samples/gallery/overview";
import { addressOf, parseQuery, type Shown } from "../../../samples/gallery/query";
import { isAdvanced, labelOf } from "../../../samples/gallery/words";
import { scenes } from "../../../samples/scenes/index";
import { showcases } from "../../../samples/showcases/index";

it("has every scene and showcase once", () => {
  const listed = catalogue.flatMap((group) => Object.keys(group.scenes));
  const names = [...scenes.map((scene) => scene.name), ...Object.keys(showcases)];
  expect([...listed].sort()).toEqual(names.sort());
});

it("keeps all that the page shows in its address", () => {
  const shown: Shown = {
    scene: "flag",
    settings: { wind: "8.5", fabric: "denim", self: "true" },
    backend: "cpu",
    view: "strain",
    scale: 0.05,
    speed: 0.25,
    paused: true,
    engine: "webgl",
    camera: { alpha: -1.25, beta: 1.1, radius: 3, x: 0, y: 0.4, z: -0.1 },
  };
  expect(parseQuery(addressOf(shown))).toMatchObject(shown);
  const plain: Shown = {
    ...{ scene: "vest", settings: {}, backend: "auto", view: "cloth", scale: 0.01, speed: 1, paused: false },
    ...{ engine: "webgpu", camera: {} },
  };
  expect(addressOf(plain)).toBe("?scene=vest");
  expect(parseQuery(addressOf(plain))).toMatchObject(plain);
});

it("reads what it does not know as the default", () => {
  expect(parseQuery("?view=x&scale=3&speed=7&x=left&backend=quantum&frames=-1&engine=no")).toMatchObject({
    view: "cloth",
    scale: 0.01,
    speed: 1,
    paused: false,
    camera: {},
    backend: "auto",
    frames: undefined,
    engine: "webgpu",
  });
});

it("finds scenes by all words, in any case and order", () => {
  const scene = { name: "rope-knot", title: "Rope knot", description: "An overhand knot.", tags: ["rope", "contact"] };
  for (const words of ["", "KNOT", "overhand rope", "contact knot"]) expect(matches(scene, words, "")).toBe(true);
  expect(matches(scene, "knot cloth", "")).toBe(false);
  expect(matches(scene, "", "contact")).toBe(true);
  expect(matches(scene, "knot", "cloth")).toBe(false);
});

it("has plain words for all parameters, different ones within a scene", () => {
  for (const scene of scenes) {
    const labels = scene.parameters.map(labelOf);
    for (const label of labels) expect(label).toMatch(/^[A-Z][a-z]/);
    expect(new Set(labels).size, scene.name).toBe(labels.length);
    // A visitor sees few controls first.
    expect(scene.parameters.filter((parameter) => !isAdvanced(parameter)).length, scene.name).toBeLessThanOrEqual(10);
  }
});
