/**
 * Deno's fetch looks a host up in the system's DNS although a proxy is to be asked, on threads that are few: where
 * DNS is dead they are held for seconds, and every other request waits. With no attempts the C library gives up at
 * once. It reads this variable once, so it must be set before the first look-up of a process; children inherit it.
 * Packages must have come by then, which is why the tasks that start a lab install them first.
 */
export function useNoSystemDns(): void {
  Deno.env.set("RES_OPTIONS", "attempts:0");
}
