import type { NpmPackage } from "./npm_files.ts";

/** The package that holds anvil's binary, and the path of the binary in it. */
export interface AnvilPackage extends NpmPackage {
  os: typeof Deno.build.os;
  arch: typeof Deno.build.arch;
  path: string;
}

const VERSION = "1.7.1";

/** Anvil by platform. Only what was downloaded and run here is pinned. */
export const ANVIL_PACKAGES: readonly AnvilPackage[] = [
  {
    os: "linux",
    arch: "x86_64",
    name: "@foundry-rs/anvil-linux-amd64",
    version: VERSION,
    path: "bin/anvil",
    integrity:
      "sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==",
  },
  {
    os: "linux",
    arch: "aarch64",
    name: "@foundry-rs/anvil-linux-arm64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "darwin",
    arch: "aarch64",
    name: "@foundry-rs/anvil-darwin-arm64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "darwin",
    arch: "x86_64",
    name: "@foundry-rs/anvil-darwin-amd64",
    version: VERSION,
    path: "bin/anvil",
  },
  {
    os: "windows",
    arch: "x86_64",
    name: "@foundry-rs/anvil-win32-amd64",
    version: VERSION,
    path: "bin/anvil.exe",
  },
];
