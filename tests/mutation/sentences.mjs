/**
 * A Stryker plugin that ignores sentences. A text with a space between two words is written for people, and a test that
 * repeats it literally proves nothing. Texts of one word are compared values, so they are mutated; so are template
 * literals, which contain values.
 */
export const strykerPlugins = [{
  kind: "Ignore",
  name: "sentences",
  value: {
    shouldIgnore(path) {
      const isSentence = path.isStringLiteral() && /\S \S/.test(path.node.value);
      return isSentence ? "A sentence for people" : undefined;
    },
  },
}];
