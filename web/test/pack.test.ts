import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { cardOf, kindOf, MOST_EACH, MOST_FILES, RANKS, readPack } from "../src/pack/read.ts";
import { entries } from "../src/pack/zip.ts";

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const ALL = ["D", "H", "S", "C"].flatMap((suit) => RANKS.map((rank) => `${rank}${suit}.png`));

interface Inside {
  name: string;
  bytes: Uint8Array;
  stored?: boolean;
  /** Of the directory's entry: bit 0 says that it is locked. */
  flags?: number;
}

function bytesOf(...numbers: [number, 2 | 4][]): Uint8Array {
  const view = new DataView(new ArrayBuffer(numbers.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of numbers) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

function zipOf(files: Inside[]): File {
  const [parts, directory]: [Uint8Array[], Uint8Array[]] = [[], []];
  let at = 0;
  for (const { name, bytes, stored = false, flags = 0 } of files) {
    const [packed, path] = [stored ? bytes : deflateRawSync(bytes), new TextEncoder().encode(name)];
    const method = stored ? 0 : 8;
    const local = [bytesOf([0x04034b50, 4], [20, 2], [flags, 2], [method, 2], [0, 4], [0, 4], [packed.length, 4], [bytes.length, 4], [path.length, 2], [0, 2]), path, packed];
    directory.push(
      bytesOf([0x02014b50, 4], [20, 2], [20, 2], [flags, 2], [method, 2], [0, 4], [0, 4], [packed.length, 4], [bytes.length, 4], [path.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
      path,
    );
    parts.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = bytesOf([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
  return new File([...parts, ...directory, end] as BlobPart[], "carte.zip");
}

const pictures = (names: string[], stored = false): Inside[] => names.map((name) => ({ name, bytes: PNG, stored }));
const keys = async (files: File[]) => (await readPack(files)).faults.map(({ key }) => key);

test("a card is known by the name of its file, in any folder, in small letters too", () => {
  assert.deepEqual(["mie/ad.PNG", "QH.jpeg", "10S.svg", "back.webp"].map(cardOf), ["AD", "QH", "10S", "back"]);
  assert.deepEqual(["AD.gif", "asso.png", "1D.png", "ADD.png", "AD", "8C.png"].map(cardOf), ["", "", "", "", "", ""]);
});

test("a picture is known by what is in it, not by its name", () => {
  const text = (said: string) => kindOf(new TextEncoder().encode(said));
  assert.equal(kindOf(PNG), "image/png");
  assert.equal(text('<?xml version="1.0"?>\n<!-- mine --><svg xmlns="…">'), "image/svg+xml");
  assert.deepEqual(["<html><svg>", "GIF89a", "", "<svgx>"].map(text), ["", "", "", ""]);
});

test("a whole pack is read from a zip, packed or stored, with what systems add to it", async () => {
  for (const stored of [true, false]) {
    const rubbish = [{ name: "__MACOSX/._AD.png", bytes: PNG }, { name: "carte/", bytes: new Uint8Array(), stored: true }, { name: ".DS_Store", bytes: PNG }];
    const { pictures: found, faults } = await readPack([zipOf([...pictures(ALL.map((name) => `carte/${name}`), stored), ...rubbish])]);
    assert.deepEqual(faults, []);
    assert.equal(found.size, 40);
    assert.deepEqual(new Uint8Array(await found.get("3H")!.blob.arrayBuffer()), PNG);
    assert.equal(found.get("3H")!.blob.type, "image/png");
  }
});

test("what is wrong names the file and the cards", async () => {
  const without = ALL.filter((name) => name !== "3H.png");
  const { faults } = await readPack([zipOf(pictures([...without, "tre.png"]))]);
  assert.deepEqual(faults, [
    { key: "pack_missing", values: { cards: "3H", file: "3H.png" } },
    { key: "pack_unknown", values: { file: "tre.png" } },
  ]);
  assert.deepEqual(await keys([zipOf(pictures([...ALL, "extra.png"]))]), [], "more than the cards does no harm");
  assert.deepEqual(await keys([zipOf([...pictures(ALL), { name: "ad.jpg", bytes: PNG }])]), ["pack_twice"]);
  assert.deepEqual(await keys([zipOf([...pictures(without), { name: "3H.png", bytes: new TextEncoder().encode("<html>") }])]), ["pack_kind"]);
  const tens = (await readPack([zipOf(pictures([...ALL, "10D.png"]))])).faults;
  assert.deepEqual(tens, [{ key: "pack_missing", values: { cards: "10H 10S 10C", file: "10H.png" } }]);
});

test("limits: files, a single picture that unpacks to too much, and no zip at all", async () => {
  const many = pictures(Array.from({ length: MOST_FILES + 1 }, (_, index) => `${index}.png`));
  assert.deepEqual(await keys([zipOf(many)]), ["pack_many"]);
  const bomb = { name: "AD.png", bytes: new Uint8Array(MOST_EACH + 1) };
  const found = await readPack([zipOf([...pictures(ALL.slice(1)), bomb])]);
  assert.deepEqual(found.faults.map(({ key, values }) => [key, values["file"]]), [["pack_large", "AD.png"]]);
  assert.deepEqual(await keys([new File(["no zip"], "carte.zip")]), ["pack_zip_broken"]);
  assert.deepEqual(await keys([zipOf([{ name: "AD.png", bytes: PNG, flags: 1 }])]), ["pack_zip_broken"]);
});

test("a zip cut short or with offsets that point outside is refused and throws nothing", async () => {
  const whole = new Uint8Array(await zipOf(pictures(ALL)).arrayBuffer());
  for (const cut of [1, 21, 40, 200]) assert.equal(entries(whole.slice(0, whole.length - cut), 100), null);
  const astray = whole.slice();
  new DataView(astray.buffer).setUint32(astray.length - 6, 0xfffffff0, true);
  assert.equal(entries(astray, 100), null);
  const torn = whole.slice();
  torn.fill(0xff, 40, 48);
  const first = entries(torn, 100)![0]!;
  assert.equal(await first.read(1000), null, "a broken file is told, not thrown");
});
