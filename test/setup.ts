import fc from "fast-check";

/** Every run draws the same random cases, so that a failure is one of the code; `PLIANT_SEED` draws others. */
fc.configureGlobal({ seed: Number(process.env.PLIANT_SEED ?? 1) });
