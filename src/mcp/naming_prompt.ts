/** A prompt that leads a model from a description to names that can be registered, in two calls. */
import * as z from "zod/mini";

/** What the product is. */
export const namingInput = () =>
  z.object({
    product: z.string().check(
      z.minLength(1),
      z.maxLength(2_000),
      z.describe("What is to be named, for whom, and what the name should sound like"),
    ),
  });

/** The prompt's entry in the list. */
export const NAMING_PROMPT = {
  name: "name_a_product",
  title: "Find a name that is available",
  description: "Proposes names for a product, checks them and shows those that can be registered",
};

/** The message for the model. */
export function namingMessage({ product }: z.output<ReturnType<typeof namingInput>>): string {
  return `Find a name with an available domain for this: ${product}

1. Write 40 candidates: 4 to 12 letters, easy to say, to spell after hearing and to remember; real words, joined words and \
invented ones; no hyphens, no digits, no well-known brand.
2. Call check_domain once with the 40 labels and tlds ["com"], or the TLDs that the user wants.
3. If fewer than five are available, take the best ideas, vary them (other endings, joined words) and call check_domain once \
more, also with "io", "dev" and "app".
4. Show the available ones as a short list: the name, why it fits, what the first year and three years cost. Say which are premium. An unknown name is \
not available: leave it out, or say that it must be checked again.
5. Ask which direction the user likes, and repeat from 1 with it.`;
}
