/** Clients that were written without the plan and are kept aside, so that an exam can be judged by bugs it has never seen. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test.each([
  ["kept-aside.tar.gz", "e6a4cc7f91b24f8391e65308549261702c0a06a51918a6f016a8a81edad7802f"],
  ["kept-aside-2.tar.gz", "e9bef17139ec63038fd5133c4586bcf4dae7e3278f268f3e7223931b1eeaba56"],
  ["kept-aside-3.tar.gz", "1fbce25c74bebd360964e8cb446dad9ea364e650652121af8e2ec8fb4388af17"],
  ["kept-aside-4.tar.gz", "ad8c27a262db94fe56dd6d2014c2d2d2869bef17ca74a409732d6975eb5d624a"],
  ["kept-aside-5.tar.gz", "18dcd247bd544beb9532a669784201aa122d87694055be163947bc59538e572f"],
  ["kept-aside-6.tar.gz", "6860841c13d5dbe5e59fe6020b4019f07516b71c99cd3c4b16608a14b1ae6a99"],
  ["kept-aside-7.tar.gz", "bfb0e535cce031bbffd6e71ec053d92455650c84a4ff08471ee22b658600a822"],
  ["kept-aside-8.tar.gz", "7b65dcbc4948a488068a460e693e4296a94ff4beb66f9ff432339d089a781d7e"],
  ["kept-aside-9.tar.gz", "a8c7c3fabb32def0e570538c04c77b6870f0d2c08ce9eb9e4e31469803e7ed06"],
  ["kept-aside-10.tar.gz", "09310da7270363ffd1f60bf2795f05202ddb98bbad889033dcc3493f29170ea3"],
  ["kept-aside-11.tar.gz", "6363745935c9c9a4ec07921f9f38e8a5583be8d5e677a2ba9d4aee52d69e0991"],
  ["kept-aside-12.tar.gz", "ca6a301d595c8b8394614d9d1eb7575bb27321071c137da23060470e021f350e"],
  ["kept-aside-13.tar.gz", "736c3747c58984ce4132485dd5de1b10369be7a2f0fc044b0b6f99d6f63ef77c"],
  ["kept-aside-14.tar.gz", "22df13433f16ff35e754b67613429ca16c643db1471d6a301cb4fe173f1785f3"],
  ["kept-aside-15.tar.gz", "606dd502ba6907682b756c03fcd170d9b469950bda6bbeb56a4def3466742468"],
  ["kept-aside-16.tar.gz", "fcb15def50ce55b4c1bbe4764f1d2800fef4f703afc80bc9bef5ddaca6b0e519"],
  ["kept-aside-17.tar.gz", "79a0c67a2f0af70818057264a96332b261dbee9be6e3cb9ca5852278426cbb8f"],
  ["kept-aside-18.tar.gz", "b8d9334baef0cbbdb0754b5afb01cb358dd6a6d6ac6109cb2dd0916269d1cc58"],
])("the clients of %s are those that were first kept aside", (name, hash) => {
  const archive = readFileSync(join(import.meta.dirname, name));
  expect(createHash("sha256").update(archive).digest("hex")).toBe(hash);
});
