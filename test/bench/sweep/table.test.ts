import { tableFromIPC } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { pageOf } from "../../../bench/sweep/page";
import type { StoredResult } from "../../../bench/sweep/store";
import { arrowOf, csvOf, tableOf } from "../../../bench/sweep/table";
import { sceneNamed } from "../../../samples/scenes/index";

const settings = [
  { wind: 0.1, passer: true, fabric: "silk" },
  { wind: 1 / 3, passer: false, fabric: 'a "b", c</script>' },
];
const results: StoredResult[] = settings.map((of, i) => ({
  key: `k${i}`,
  version: "0.1.0+x",
  job: { scene: "curtain", settings: of, seed: i + 1, backend: "cpu" },
  outcome:
    i === 0 ? { metrics: { sag: 0.1 + 0.2, wind: 5 }, frames: 9, ms: 3 } : { error: "broke\nin two", frames: 2, ms: 1 },
  node: "20.0.0",
  host: "here",
}));
const table = tableOf(results);

describe("the tables of a sweep", () => {
  it("name settings that differ, and keep a metric apart from a setting of its name", () => {
    expect(table.varied).toEqual(["wind", "passer", "fabric", "seed"]);
    expect(table.metrics).toEqual(["sag", "wind (metric)"]);
  });

  it("are CSV with all digits", () => {
    const [head, first, ...rest] = csvOf(table).split("\r\n");
    expect(head).toMatch(/^scene,seed,wind,passer,fabric,sag,wind \(metric\),error,/);
    expect(first).toMatch(/^curtain,1,0\.1,true,silk,0\.30000000000000004,5,,9,3,cpu,0\.1\.0\+x,20\.0\.0,here,k0$/);
    expect(rest).toEqual([
      expect.stringContaining(',0.3333333333333333,false,"a ""b"", c</script>",,,"broke\nin two",2,'),
      "",
    ]);
  });

  it("are Arrow with types and gaps", () => {
    const read = tableFromIPC(arrowOf(table));
    expect(read.toArray().map((row) => row.toJSON())).toEqual(
      results.map((_, i) => Object.fromEntries([...table.columns].map(([name, column]) => [name, column[i]]))),
    );
    expect(["wind", "passer", "fabric", "sag"].map((name) => String(read.getChild(name)!.type))).toEqual([
      "Float64",
      "Bool",
      "Utf8",
      "Float64",
    ]);
  });

  it("are data of a page, whatever they contain", async () => {
    const page = await pageOf(sceneNamed("curtain"), table, [results[1]]);
    const [, json] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page)!;
    const data = JSON.parse(json);
    expect(data.columns.fabric[1]).toBe(settings[1].fabric);
    expect(data.failed[0].command).toContain("--set 'fabric=a");
    expect(page.match(/<\/script/g)!.length).toBe(2);
  });
});
