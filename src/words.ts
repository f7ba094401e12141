/** The words of a text. */
export type Words<Text extends string, Found = never> = Text extends `${infer Line}\n${infer Rest}`
  ? Words<Rest, Found | Words<Line>>
  : Text extends `${infer Word} ${infer Rest}`
    ? Words<Rest, Found | Word>
    : Exclude<Found | Text, "">;

/** Buffers by their names in the shaders: `BuffersOf<"start velocity">`. */
export type BuffersOf<Names extends string> = Readonly<Record<Words<Names>, GPUBuffer>>;
