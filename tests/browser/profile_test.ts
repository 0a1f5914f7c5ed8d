/// <reference lib="dom" />
import { assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { appears, detached } from "./appears.ts";
import { AVAILABLE_ETH, onPage } from "./on_page.ts";
import { rowOn, settled, type } from "./rows.ts";

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
  async ({ page }) => {
    await page.route(
      "**/v1/ens/metadata*",
      (route) => route.fulfill({ json: { name: "any.eth", owner: OWNER, records: RECORDS } }),
    );
    await page.goto("/?q=taken");
    await settled(page, "taken");
    const row = rowOn(page, "eth");
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
    await detached(profile);
  },
  { eth: TAKEN_ETH, browser: { viewport: { width: 360, height: 780 } } },
);

onPage(
  "a .eth name on a test chain shows its price if available, its profile if taken",
  async ({ page }) => {
    await page.goto("/?q=free-for-you");
    await settled(page, "free-for-you");
    const row = rowOn(page, "eth");
    assertEquals(
      (await row.locator(".price").textContent())?.trim().replaceAll(/\s+/g, " "),
      "0.002 ETH ≈ $5 a year",
    );
    await page.goto("/?q=alice.eth");
    await settled(page, "alice");
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

/** Two profiles; each is returned once its description is resolved. */
async function profilesOn(page: Page) {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const descriptions = [first.promise, second.promise];
  await page.route("**/v1/ens/metadata*", async (route) => {
    await route.fulfill({ json: { records: { description: await descriptions.shift() } } });
  });
  return { first, second };
}

/** Records the texts that a panel shows from now on. */
async function recordTexts(panel: Locator): Promise<() => Promise<string[]>> {
  const texts = await panel.evaluateHandle((panel) => {
    const texts: string[] = [];
    const record = () => texts.push(panel.textContent ?? "");
    new MutationObserver(record).observe(panel, { childList: true });
    return texts;
  });
  return () => texts.evaluate((texts) => texts.filter((text) => text !== ""));
}

onPage("a profile that arrives late is not shown under another name", async ({ page }) => {
  const { first, second } = await profilesOn(page);
  await page.goto("/?q=alice");
  await settled(page, "alice");
  const row = rowOn(page, "eth");
  const texts = await recordTexts(row.locator(".panel"));
  await row.getByRole("button", { name: "Profile of alice.eth" }).click();
  await type(page, "bobby");
  await settled(page, "bobby");
  await row.getByRole("button", { name: "Profile of bobby.eth" }).click();
  first.resolve("I am Alice");
  second.resolve("I am Bobby");
  await appears(row.getByText("I am Bobby"));
  assertEquals(await texts(), ["Loading …", "Loading …", "AboutI am Bobby"]);
}, { eth: TAKEN_ETH });

onPage("a profile that is closed before it arrives stays closed", async ({ page }) => {
  const { first, second } = await profilesOn(page);
  await page.goto("/?q=alice");
  await settled(page, "alice");
  const row = rowOn(page, "eth");
  const texts = await recordTexts(row.locator(".panel"));
  const button = row.getByRole("button", { name: "Profile of alice.eth" });
  await button.click();
  await button.click();
  const answered = page.waitForResponse("**/v1/ens/metadata*");
  first.resolve("closed");
  await (await answered).finished();
  await button.click();
  second.resolve("opened");
  await appears(row.getByText("opened"));
  assertEquals(await texts(), ["Loading …", "Loading …", "Aboutopened"]);
}, { eth: TAKEN_ETH });
