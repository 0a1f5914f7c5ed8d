import { assertEquals } from "@std/assert";
import type { RdapAnswer, RdapFault } from "../../src/rules/answer.ts";
import { afterAnswer, HEALTHY, type HostHealth } from "../../src/rules/cooldown.ts";

const NOW = 1_000_000;

function failed(fault: RdapFault, retryAfterMs?: number): RdapAnswer {
  return {
    kind: "failed",
    fault,
    why: "",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function after(answers: RdapAnswer[]): HostHealth {
  return answers.reduce((health, answer) => afterAnswer(health, answer, NOW), HEALTHY);
}

function pauseSeconds(answers: RdapAnswer[]): number {
  const { coolUntil } = after(answers);
  return coolUntil === 0 ? 0 : (coolUntil - NOW) / 1_000;
}

Deno.test("afterAnswer() starts a cooldown as long as Retry-After", () => {
  assertEquals(pauseSeconds([failed("limited", 7_000)]), 7);
  assertEquals(pauseSeconds([failed("down", 90_000)]), 90);
});

Deno.test("afterAnswer() doubles the cooldown for each 429 without Retry-After", () => {
  const limited = failed("limited");
  assertEquals(pauseSeconds([limited]), 30);
  assertEquals(pauseSeconds([limited, limited]), 60);
  assertEquals(pauseSeconds(Array(9).fill(limited)), 300);
  assertEquals(pauseSeconds([failed("limited", 0)]), 30);
});

Deno.test("afterAnswer() opens the circuit at the fifth consecutive fault", () => {
  const down = failed("down");
  assertEquals(pauseSeconds(Array(4).fill(down)), 0);
  assertEquals(pauseSeconds(Array(5).fill(down)), 30);
  assertEquals(pauseSeconds(Array(6).fill(down)), 60);
  assertEquals(pauseSeconds(Array(99).fill(down)), 300);
});

Deno.test("afterAnswer() resets the faults at a good answer", () => {
  const down = failed("down");
  const free: RdapAnswer = { kind: "notFound", askedAt: 0, statements: [] };
  assertEquals(after([...Array(9).fill(down), free]).faults, 0);
  assertEquals(after([...Array(4).fill(down), { kind: "registered" }, down]).coolUntil, 0);
});

Deno.test("afterAnswer() ignores unclear and unasked answers", () => {
  const health = { faults: 3, coolUntil: 5 };
  assertEquals(afterAnswer(health, failed("unclear"), NOW), health);
  assertEquals(afterAnswer(health, failed("unasked"), NOW), health);
});

Deno.test("afterAnswer() never shortens a cooldown", () => {
  assertEquals(pauseSeconds([failed("limited", 600_000), { kind: "registered", askedAt: 0 }]), 600);
  assertEquals(pauseSeconds([failed("limited", 600_000), failed("limited", 1_000)]), 600);
});
