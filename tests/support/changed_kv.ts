/** A KV some of whose operations a test replaces: `change` returns what stands for one, throws, or leaves it as it is. */
export function changedKv(kv: Deno.Kv, change: (operation: string) => unknown): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      const value = change(String(name)) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A KV that several services use, each of which closes it. */
export function sharedKv(kv: Deno.Kv): Deno.Kv {
  return changedKv(kv, (operation) => operation === "close" ? () => {} : undefined);
}

/** A KV with an operation that throws while the test says so. */
export function failingKv(kv: Deno.Kv, operation: keyof Deno.Kv, fails: () => boolean): Deno.Kv {
  return changedKv(kv, (name) => {
    if (name === operation && fails()) throw new TypeError("disk I/O error");
  });
}
