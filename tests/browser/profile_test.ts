/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import { AVAILABLE_ETH, onPage } from "./on_page.ts";
import { appears, textOf } from "./rows.ts";

const OWNER = "0x00000000000000000000000000000000000A11cE";
const TAKEN_ETH = {
  ...AVAILABLE_ETH,
  available: false,
  owner: OWNER,
  registrationPrice: undefined,
};

/** Hostile records. */
const RECORDS = {
  avatar: "javascript:alert(1)",
  url: "javascript:alert(document.domain)//https://fine.example",
  description: "<img src=https://evil.example/x onerror=alert(1)>‮",
  twitter: "../../evil",
  github: 'a"onclick="alert(1)',
  email: "a@b.example\n<script>alert(1)</script>",
  contenthash: "ipfs://" + "x".repeat(4_000),
};

onPage(
  "records are shown as text, and only safe URLs become links",
  async ({ page, search }) => {
    const json = { name: "any.eth", owner: OWNER, records: RECORDS };
    await page.route("**/v1/ens/metadata*", (route) => route.fulfill({ json }));
    await search.open("taken");
    const row = search.row("eth");
    assertEquals(await row.locator(".explanation").textContent(), "held by 0x0000…11cE");
    const button = row.getByRole("button", { name: "Profile of taken.eth" });
    await button.click();
    const profile = row.locator(".profile");
    await appears(profile);
    const shown = await profile.locator("dd").allTextContents();
    const { description, url, twitter, github, email, avatar, contenthash } = RECORDS;
    assertEquals(shown, [description, url, twitter, github, email, avatar, contenthash, OWNER]);
    assertEquals(await profile.locator("a, img, script").count(), 0);
    assertEquals(await button.getAttribute("aria-expanded"), "true");
    await button.click();
    assertEquals(await profile.count(), 0);
  },
  { eth: TAKEN_ETH, browser: { viewport: { width: 360, height: 780 } } },
);

onPage(
  "a .eth name on a test chain shows its price if available, its profile if taken",
  async ({ search }) => {
    await search.open("free-for-you");
    const row = search.row("eth");
    assertEquals(await textOf(row.locator(".price")), "0.002 ETH ≈ $5 a year");
    await search.open("alice.eth");
    await row.getByRole("button", { name: "Profile of alice.eth" }).click();
    const profile = row.locator(".profile");
    await appears(profile.getByText("Alice of the test chain"));
    const links = await profile.getByRole("link").evaluateAll((links) =>
      links.map((link) => [link.getAttribute("href"), link.getAttribute("rel")])
    );
    assertEquals(links, [
      ["https://alice.example", "noopener nofollow"],
      ["https://x.com/alice", "noopener nofollow"],
      ["https://github.com/alice-codes", "noopener nofollow"],
    ]);
  },
  { eth: "chain" },
);

onPage(
  "a profile that arrives late is shown neither under another name nor once it is closed",
  async ({ page, search }) => {
    /** Each profile is returned once its description is resolved. */
    const [alice, closed, opened] = [0, 1, 2].map(() => Promise.withResolvers<string>());
    const descriptions = [alice, closed, opened].map((one) => one?.promise);
    await page.route("**/v1/ens/metadata*", async (route) => {
      await route.fulfill({ json: { records: { description: await descriptions.shift() } } });
    });
    const row = search.row("eth");
    const buttonOf = (name: string) => row.getByRole("button", { name: `Profile of ${name}.eth` });
    await search.open("alice");
    const texts = await row.locator(".panel").evaluateHandle((panel) => {
      const texts: string[] = [];
      const record = () => panel.textContent && texts.push(panel.textContent);
      new MutationObserver(record).observe(panel, { childList: true });
      return texts;
    });
    await buttonOf("alice").click();
    await search.enter("bobby");
    await search.settled("bobby");
    // Opened, closed, and opened again.
    for (let clicks = 0; clicks < 2; clicks++) await buttonOf("bobby").click();
    const answered = page.waitForResponse("**/v1/ens/metadata*");
    for (const one of [alice, closed]) one?.resolve("late");
    await (await answered).finished();
    await buttonOf("bobby").click();
    opened?.resolve("opened");
    await appears(row.getByText("opened"));
    assertEquals(await texts.evaluate((texts) => [...texts]), [
      ...Array(3).fill("Loading …"),
      "Aboutopened",
    ]);
  },
  { eth: TAKEN_ETH },
);
