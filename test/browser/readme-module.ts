// What the page of the README imports by the name of the package, for a test that wants to know what the page makes of it.

import { ClothAggregate as PlainCloth } from "../../plugin/index";

export * from "../../plugin/index";

export class ClothAggregate extends PlainCloth {
  constructor(...args: ConstructorParameters<typeof PlainCloth>) {
    super(...args);
    globalThis.readmeCloth = this;
  }
}

declare global {
  var readmeCloth: PlainCloth;
}
