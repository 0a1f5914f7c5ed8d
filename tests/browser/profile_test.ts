/// <reference lib="dom" />
import { assertEquals, assertMatch } from "@std/assert";
import { AVAILABLE_ETH, testsOnPage } from "./on_page.ts";
import { appears, textOf } from "./rows.ts";

const OWNER = "0x00000000000000000000000000000000000A11cE";
const { registrationPrice: _, ...ANY_ETH } = AVAILABLE_ETH;
const TAKEN_ETH = { ...ANY_ETH, available: false, owner: OWNER };

/** Hostile records, in the order in which they are shown. */
const RECORDS = {
  description: "<img src=https://evil.example/x onerror=alert(1)>‮",
  url: "javascript:alert(document.domain)//https://fine.example",
  twitter: "../../evil",
  github: 'a"onclick="alert(1)',
  email: "a@b.example\n<script>alert(1)</script>",
  avatar: "javascript:alert(1)",
  contenthash: "ipfs://" + "x".repeat(4_000),
};

const browser = { viewport: { width: 360, height: 780 } };
const chain = testsOnPage({ eth: "chain", allowed: /status of 503/, browser });

chain.test("a taken .eth name has the profile of its chain, records are shown as text, and only safe URLs become links", async ({ page, search }) => {
  await search.open("alice.eth");
  assertMatch(await textOf(search.row("eth").locator(".explanation")), /^held by 0x\w{4}…\w{4}$/);
  const profile = (await search.openMenu("Details of alice.eth")).locator(".profile");
  await appears(profile.getByText("Alice of the test chain"));
  await appears(profile.getByText("Expires"));
  const links = await profile.getByRole("link").evaluateAll((links) =>
    links.map((link) => `${link.getAttribute("href")} ${link.getAttribute("rel")}`)
  );
  const urls = ["https://alice.example", "https://x.com/alice", "https://github.com/alice-codes"];
  assertEquals(links, urls.map((url) => `${url} noopener nofollow`));

  const json = { name: "any.eth", owner: OWNER, records: RECORDS };
  await page.route("**/v1/ens/metadata*", (route) => route.fulfill({ json }));
  // A registry that does not answer takes nothing of it away.
  const json503 = { status: 503, json: { message: "busy now" } };
  await page.route("**/details?*", (route) => route.fulfill(json503));
  await search.open("alice.eth");
  await search.openMenu("Details of alice.eth", "dt");
  await appears(profile.getByText("Owner"));
  const shown = await profile.locator("dd").allTextContents();
  assertEquals(shown, [...Object.values(RECORDS), OWNER, "busy now"]);
  assertEquals(await profile.locator("a, img, script").count(), 0);
  assertEquals(await search.beyond(), 0);
});

const takenEth = testsOnPage({ eth: TAKEN_ETH });

takenEth.test("a profile that arrives late is not shown under another name", async ({ page, search }) => {
  await page.route("**/details?*", (route) => route.fulfill({ json: {} }));
  /** Each profile is returned once its description is resolved. */
  const [alice, bobby] = [0, 1].map(() => Promise.withResolvers<string>());
  const descriptions = [alice, bobby].map((one) => one?.promise);
  await page.route("**/v1/ens/metadata*", async (route) => {
    await route.fulfill({ json: { records: { description: await descriptions.shift() } } });
  });
  await search.open("alice");
  const asking = "dd:text('asking …')";
  const menu = await search.openMenu("Details of alice.eth", asking);
  await page.keyboard.press("Escape");
  await search.enter("bobby");
  await search.settled("bobby");
  await search.openMenu("Details of bobby.eth", asking);
  const answered = page.waitForResponse("**/v1/ens/metadata*");
  alice?.resolve("late");
  await (await answered).finished();
  bobby?.resolve("in time");
  await appears(menu.locator(".profile").getByText("in time"));
  assertEquals(await menu.locator(".profile").textContent(), "Aboutin time");
});
