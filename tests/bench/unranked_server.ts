/** The service without its limiter, and without the count of what people ask for. */
import { serveVariant } from "./serve_variant.ts";
import { withoutLimiter } from "./without_limiter.ts";

await serveVariant((services) => ({ ...withoutLimiter(services), popular: { count() {} } }));
