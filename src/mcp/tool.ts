/** One declaration of a tool for agents: what it takes and gives, what it does, and what it says of it in words. */
import type * as z from "zod/mini";
import type { Waiter } from "../flow/flight.ts";
import type { Services } from "../wiring/services.ts";
import type { Operation } from "../api/operation.ts";

/** A tool. Its schemas are an operation's, or made of them; the issues of `input` may carry error codes. */
export interface Tool<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses among tools: the verb first, when to use it, what it cannot tell; up to 500 characters. */
  readonly description: string;
  readonly input: () => Input;
  readonly output: () => Output;
  /** How many requests of the caller's limit a call counts as. */
  cost(input: z.output<Input>): number;
  /** What only the asker still waits for is given up when it leaves. */
  run(
    input: z.output<Input>,
    services: Services,
    waiter?: Waiter,
  ): z.input<Output> | Promise<z.input<Output>>;
  /** The answer in a few lines, for clients that show a model nothing else. */
  text(answer: z.input<Output>): string;
}

/** Declares a tool, so that `run` and `text` are checked against its schemas. */
export function tool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  declared: Tool<Input, Output>,
): Tool<Input, Output> {
  return declared;
}

/** Declares a tool that does what an operation does. */
export function operationTool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  { query: input, answer: output, run }: Operation<Input, Output>,
  words: Pick<Tool<Input, Output>, "name" | "title" | "description" | "text">,
): Tool<Input, Output> {
  return { ...words, input, output, cost: () => 1, run };
}
