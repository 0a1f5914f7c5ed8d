/** What crawlers may read: the documents, and not the look-ups, which would ask registries for their sake. */
export const robots = `User-agent: *
Disallow: /check
Disallow: /register
Disallow: /v1/
Disallow: /mcp
Allow: /
`;
