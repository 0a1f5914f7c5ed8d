/** Who runs the service, as a line of HTML on the page and in /docs. */
import { html } from "hono/html";
import type { Services } from "../wiring/services.ts";

/** Renders what the operator has set, as escaped HTML; empty if that is nothing. */
export function operatorLine(
  { name, contact, privacyUrl, isTraced }: Services["operator"],
): string {
  const parts = [
    ...(name === undefined ? [] : [html`Run by ${name}`]),
    ...(contact === undefined ? [] : [html`Contact: ${linked(contact)}`]),
    ...(privacyUrl === undefined ? [] : [html`<a href="${privacyUrl}">Privacy</a>`]),
    ...(isTraced ? ["Deno Deploy traces requests, with the names in them"] : []),
  ];
  return parts.map((part) => `${part}`).join(" · ");
}

/** A link to a URL or an e-mail address; other words as they are. */
function linked(contact: string) {
  const url = /^[^\s@/:]+@[^\s@/:]+$/.test(contact) ? `mailto:${contact}` : contact;
  if (!/^(?:https?|mailto):/i.test(url)) return contact;
  return html`<a href="${url}">${contact}</a>`;
}
