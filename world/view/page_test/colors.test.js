import test from "node:test";
import assert from "node:assert/strict";
import { category } from "../page/colors.js";

const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);

test("colors of groups have enough contrast on the dark ground", () => {
  for (let i = 0; i < 12; i++) {
    const contrast = (luminance(category(i, true)) + 0.05) / (luminance([0x14, 0x17, 0x1b]) + 0.05);
    assert.ok(contrast >= 3, `color ${i}: got=${contrast}, want=3 or more`);
  }
});
