/** For tests that are not about the rate limit and send more requests than it allows. */
export const UNLIMITED = { RATE_LIMIT: "1000000000" };
