/** The declaration of a tool for agents: its schemas, its description, and what it does. */
import type * as z from "zod/mini";
import type { Waiter } from "../flow/cache/flight.ts";
import type { Services } from "../wiring/services.ts";
import type { Operation } from "../api/operation.ts";

/** Called as a call goes on, for clients that want to know. */
export type OnProgress = (progress: number, total: number) => void;

/** A tool. Its schemas are those of operations, or composed of them; the issues of `input` may carry error codes. */
export interface Tool<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
> {
  readonly name: string;
  readonly title: string;
  /** For the model that chooses a tool: verb first, when to use it, what it cannot detect; at most 500 characters. */
  readonly description: string;
  readonly input: () => Input;
  readonly output: () => Output;
  /** How many requests of the client's limit a call uses; one if absent. */
  cost?(input: z.output<Input>): number;
  /** Look-ups that only `waiter` waits for are cancelled when its client disconnects. */
  run(
    input: z.output<Input>,
    services: Services,
    waiter?: Waiter,
    onProgress?: OnProgress,
  ): Promise<z.input<Output>> | z.input<Output>;
  /** The answer in a few lines, for clients that pass only text to the model. */
  text(answer: z.input<Output>): string;
}

/** Declares a tool, so that `run` and `text` are checked against its schemas. */
export function tool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  declared: Tool<Input, Output>,
): Tool<Input, Output> {
  return declared;
}

/** Declares a tool that runs an operation. */
export function operationTool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  { query: input, answer: output, run }: Operation<Input, Output>,
  words: Pick<Tool<Input, Output>, "name" | "title" | "description" | "text">,
): Tool<Input, Output> {
  return { ...words, input, output, run };
}
