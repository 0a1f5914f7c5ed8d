import type { RegistryDetails } from "../../src/rules/readers/registry_details.ts";

/** The details of a record that says nothing but that the name is registered. */
export const NO_DETAILS: RegistryDetails = { status: [], nameServers: [] };
