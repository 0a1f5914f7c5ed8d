/**
 * A plugin of Stryker: leaves sentences alone. A text with a space between two words is written for people, and a test
 * that repeated it letter by letter would prove nothing. Texts of one word are values that are compared, so they are
 * mutated; so are template literals, which hold values.
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
