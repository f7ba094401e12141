import { describe, expect, it } from "vitest";
import { Signal } from "../../src/world/signal";

describe("signal", () => {
  it("tells all listeners, in order, until they leave", () => {
    const signal = new Signal<number>();
    const heard: string[] = [];
    const leave = signal.add((value) => heard.push(`a${value}`));
    signal.add((value) => heard.push(`b${value}`));
    signal.notify(1);
    leave();
    leave();
    signal.notify(2);
    signal.clear();
    signal.notify(3);
    expect(heard).toEqual(["a1", "b1", "b2"]);
  });

  it("may be left and joined while it is told", () => {
    const signal = new Signal<number>();
    const heard: string[] = [];
    const leave = signal.add((value) => {
      heard.push(`a${value}`);
      leave();
      signal.add((later) => heard.push(`c${later}`));
    });
    signal.add((value) => heard.push(`b${value}`));
    signal.notify(1);
    signal.notify(2);
    expect(heard).toEqual(["a1", "b1", "b2", "c2"]);
  });
});
