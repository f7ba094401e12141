import fs from "node:fs";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "../../../docs/measurements");

/** A page for each file of measurements. */
export default {
  paths: () =>
    fs.readdirSync(folder).map((file) => ({
      params: { topic: path.basename(file, ".md") },
      content: fs.readFileSync(path.join(folder, file), "utf8"),
    })),
};
