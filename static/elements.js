// @ts-check
/// <reference lib="dom" />
/** Elements of the page: created, copied from a template, or found by a selector. */

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {readonly (Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function createElement(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** A copy of what a template holds. @param {string} id */
export function copyOfTemplate(id) {
  const { content } = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  return /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
}

/**
 * Creates a function that finds an element by its selector, in a part of the page that has it.
 * @param {ParentNode} root
 */
export function finderIn(root) {
  return (
    /** @type {string} */ selector,
  ) => /** @type {HTMLElement} */ (root.querySelector(selector));
}
