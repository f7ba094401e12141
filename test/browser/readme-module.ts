// The package as the page of the README imports it. It passes its cloth to the test that opens the page.

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
