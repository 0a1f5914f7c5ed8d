/** What a document or a page says in Link of where everything else is (RFC 8288; llms.txt is `describedby`). */
export const LINK = [
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</openapi.yaml>; rel="service-desc"; type="application/yaml"',
  '</docs>; rel="service-doc"; type="text/html"',
  '</.well-known/api-catalog>; rel="api-catalog"',
].join(", ");
