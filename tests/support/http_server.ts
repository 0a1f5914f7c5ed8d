/** Starts a server on loopback that answers so. */
export function startHttpServer(answer: Deno.ServeHandler<Deno.NetAddr>) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, answer);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
