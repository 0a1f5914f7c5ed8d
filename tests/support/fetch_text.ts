/** Fetches a text, and returns it with the status and the headers. */
export async function fetchText(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
