import { type Template, textOf } from "../../src/rules/readers/templates.ts";

/** A template as lines for people, such as `title: <domain> not found`. */
export function shownTemplate({ members }: Template): string[] {
  return members.flatMap(({ place, lines }) =>
    lines.map((pieces) => `${place}: ${textOf(pieces)}`)
  );
}
