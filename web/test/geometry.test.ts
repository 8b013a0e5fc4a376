import assert from "node:assert/strict";
import { test } from "node:test";
import { aroundMe, corner, handRow, handRows, overlap, trickPlace, type Box, type Slot } from "../src/geometry.ts";
import { scene } from "./scenes.ts";

const SLOTS: Slot[] = [0, 1, 2, 3, 4];

/** The five cards of a trick in a box, sized as styles/felt.css sizes them. */
function pentagon(width: number, height: number, aspect: number, direction: "ccw" | "cw"): Box[] {
  const card = Math.min(0.235 * width, 0.355 * height * aspect);
  return SLOTS.map((slot) => {
    const { x, y, lean } = trickPlace(slot, direction);
    return { x: (x / 100) * width, y: (y / 100) * height, width: card, height: card / aspect, lean };
  });
}

for (const [width, height] of [[238, 270], [208, 190], [223, 210], [560, 430], [320, 420]] as const)
  for (const aspect of [0.577, 0.714])
    test(`five cards of aspect ${aspect} do not overlap and stay inside ${width} × ${height}`, () => {
      for (const direction of ["ccw", "cw"] as const) {
        const boxes = pentagon(width, height, aspect, direction);
        boxes.forEach((box, index) => {
          for (const other of boxes.slice(index + 1)) assert.equal(overlap(box, other), false);
          assert.ok(box.x - box.width / 2 > -8 && box.x + box.width / 2 < width + 8);
          assert.ok(box.y - box.height / 2 > -2 && box.y + box.height / 2 < height + 2);
        });
      }
    });

test("overlap sees boxes that touch only by their lean", () => {
  const flat = { x: 0, y: 0, width: 10, height: 10, lean: 0 };
  assert.equal(overlap(flat, { ...flat, x: 11 }), false);
  assert.equal(overlap(flat, { ...flat, x: 11, lean: 45 }), true);
  assert.equal(overlap(flat, { ...flat, x: 9 }), true);
});

test("the next player sits on my right, on my left where play goes clockwise", () => {
  assert.deepEqual(SLOTS.map((slot) => corner(slot, "ccw")), ["me", "right-near", "right-far", "left-far", "left-near"]);
  assert.deepEqual(SLOTS.map((slot) => corner(slot, "cw")), ["me", "left-near", "left-far", "right-far", "right-near"]);
  assert.ok(trickPlace(1, "ccw").x > 50 && trickPlace(1, "cw").x < 50);
});

test("the viewer comes first, those who sit out are left aside", () => {
  assert.deepEqual(aroundMe(scene({ you: 3 })), [3, 4, 0, 1, 2]);
  assert.deepEqual(aroundMe(scene({ you: null })), [0, 1, 2, 3, 4]);
  const six = scene({ you: 2, chairs: 6, out: [4] });
  assert.deepEqual(aroundMe(six), [2, 3, 5, 0, 1]);
  assert.deepEqual(aroundMe(scene({ you: 4, chairs: 6, out: [4] })), [0, 1, 2, 3, 5]);
});

test("eight cards leave a thumb 44 px each from 360 px on", () => {
  for (const width of [360, 374, 375, 390, 820]) {
    const { card, step } = handRow(width, 8, 140);
    assert.ok(step >= 44, `${width}: ${step}`);
    assert.ok(card + 7 * step <= width + 0.01);
  }
  assert.equal(handRow(390, 1, 140).step, 0);
  assert.ok(handRow(374, 3, 64).step > 64, "few cards lie side by side");
});

test("two rows of four leave the felt more than half of a phone's height", () => {
  for (const [width, height] of [[374, 844], [374, 763], [344, 640]] as const)
    for (const aspect of [0.52, 0.6, 0.72]) {
      const { card, step } = handRows(width, height, aspect);
      assert.ok(card <= 88 && card >= 44 && step >= card, `${width}×${height}`);
      assert.ok(card + 3 * step <= width + 1e-9 && (2 * card) / aspect <= height * 0.4);
    }
  assert.equal(handRows(390, 844, 0.6).card, 88);
});
