/**
 * A KV on one SQLite file that several processes share: "database is locked", which a KV Connect server never reports, is
 * retried until it succeeds. Otherwise a run would test what `.github/docs/operate.md` excludes: it
 * allows one process for each KV file.
 */
export function patientKv(kv: Deno.Kv): Deno.Kv {
  return new Proxy(kv, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      switch (name) {
        case "get":
        case "getMany":
        case "set":
        case "delete":
          return (...args: unknown[]) => patiently(() => member.apply(target, args));
        case "list":
          return (...args: Parameters<Deno.Kv["list"]>) => listWhole(target, args);
        case "atomic":
          return () => patientAtomic(target.atomic());
        default:
          return member.bind(target);
      }
    },
  });
}

const TRIES = 200;
const LONGEST_PAUSE_MS = 10;

async function patiently<T>(operation: () => Promise<T>): Promise<T> {
  for (let tries = 1;; tries++) {
    try {
      return await operation();
    } catch (error) {
      if (tries >= TRIES || !`${error}`.includes("database is locked")) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_PAUSE_MS));
    }
  }
}

function patientAtomic(operation: Deno.AtomicOperation): Deno.AtomicOperation {
  const patient: Deno.AtomicOperation = new Proxy(operation, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name === "commit") return () => patiently(() => target.commit());
      return (...args: unknown[]) => {
        member.apply(target, args);
        return patient;
      };
    },
  });
  return patient;
}

/** Reads the list to its end at once, so that a retry never yields an entry twice. */
function listWhole(kv: Deno.Kv, args: Parameters<Deno.Kv["list"]>) {
  const iterator = (async function* () {
    yield* await patiently(async () => await Array.fromAsync(kv.list(...args)));
  })();
  return Object.assign(iterator, { cursor: "" });
}
