/** For tests of anything but limits, which ask more than a person would. */
export const UNLIMITED = { RATE_LIMIT: "1000000000" };
