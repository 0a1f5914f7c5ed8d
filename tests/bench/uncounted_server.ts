/** The service without its limiter. */
import { serveVariant } from "./serve_variant.ts";
import { withoutLimiter } from "./without_limiter.ts";

await serveVariant(withoutLimiter);
