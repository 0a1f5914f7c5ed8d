/** Whether the address at the other end of a socket is the machine itself. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\.(?:\d{1,3}\.){2}\d{1,3}$/i.test(address);
}
