/** Results as pictures, to be sent on: drawn here, with the deck and in the language of the page. */
import { deck, faceUrl } from "./decks.ts";
import { nameOf, rankOf, suitOf } from "./seats.ts";
import { cardName, capital, rankLetter, resultLine, rulesName } from "./speech.ts";
import type { Scene } from "./wire.ts";
import { count, t } from "./words.ts";

/** Points of the picture's width: a phone shows it at a third, so that a letter of 42 is read as one of 14. */
const WIDE = 1080;
const EDGE = 64;
const [GROUND, PAPER, INK, SOFT, GOLD] = ["#0c2b21", "#143c2e", "#f7f1e3", "#b9cabf", "#e9bd54"];
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
/** So many deals of a game fit; of a longer one the last. */
const ROWS = 30;

function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

class Sheet {
  readonly canvas = document.createElement("canvas");
  readonly pen: CanvasRenderingContext2D;

  constructor(high: number) {
    this.canvas.width = WIDE;
    this.canvas.height = high;
    this.pen = this.canvas.getContext("2d")!;
    this.box(0, 0, WIDE, high, GROUND, 0);
  }

  box(x: number, y: number, wide: number, high: number, colour: string, round = 20): void {
    this.pen.fillStyle = colour;
    this.pen.beginPath();
    this.pen.roundRect(x, y, wide, high, round);
    this.pen.fill();
  }

  /** One line, cut with an ellipsis where it is too wide. */
  text(words: string, x: number, y: number, size: number, options: { colour?: string; bold?: boolean; align?: CanvasTextAlign; room?: number } = {}): void {
    const { colour = INK, bold = false, align = "left", room = WIDE } = options;
    this.pen.font = `${bold ? 700 : 400} ${size}px ${FONT}`;
    this.pen.fillStyle = colour;
    this.pen.textAlign = align;
    this.pen.textBaseline = "alphabetic";
    this.pen.fillText(this.fitting(words, room), x, y);
  }

  private fitting(words: string, room: number): string {
    if (this.pen.measureText(words).width <= room) return words;
    const signs = [...words];
    while (signs.length > 1 && this.pen.measureText(`${signs.join("")}…`).width > room) signs.pop();
    return `${signs.join("")}…`;
  }

  /** Words in as many lines as they need; returns where the next line would stand. */
  lines(words: string, x: number, y: number, size: number, room: number): number {
    this.pen.font = `700 ${size}px ${FONT}`;
    let line = "";
    let down = y;
    for (const word of words.split(" ")) {
      const next = line ? `${line} ${word}` : word;
      if (line && this.pen.measureText(next).width > room) {
        this.text(line, x, down, size, { bold: true, room });
        down += size * 1.25;
        line = word;
      } else line = next;
      this.pen.font = `700 ${size}px ${FONT}`;
    }
    this.text(line, x, down, size, { bold: true, room });
    return down + size * 1.25;
  }

  async card(card: string, x: number, y: number, wide: number): Promise<void> {
    const kit = deck.value;
    const scale = wide / kit.width;
    const face = new Image(kit.width * 4, kit.height * 4);
    face.src = faceUrl(kit.id, card);
    await face.decode().catch(() => undefined);
    if (face.complete && face.naturalWidth) this.pen.drawImage(face, x, y, wide, kit.height * scale);
    else this.box(x, y, wide, kit.height * scale, "#fffbf2", 12);
    for (const corner of kit.corners) {
      this.pen.save();
      this.pen.translate(x + corner.x * scale, y + corner.y * scale);
      this.pen.rotate((corner.turn * Math.PI) / 180);
      this.pen.font = `800 ${corner.size * scale}px ${FONT}`;
      this.pen.fillStyle = kit.ink[suitOf(card)] ?? "#222";
      this.pen.textAlign = "center";
      this.pen.textBaseline = "middle";
      this.pen.fillText(rankLetter(rankOf(card), kit.suits), 0, 0);
      this.pen.restore();
    }
  }

  blob(): Promise<Blob> {
    return new Promise((done, failed) => this.canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture"))), "image/png"));
  }
}

function roleOf(scene: Scene, chair: number): string {
  const row = scene.sheet.at(-1);
  if (chair === row?.caller) return t(row.caller === row.partner ? "role_alone" : "role_caller");
  return chair === row?.partner ? t("role_partner") : "";
}

/** How a deal ended: who called what, with whom, the points, what everybody got. */
export async function dealPicture(scene: Scene, address: string): Promise<Blob> {
  const { deal } = scene;
  const row = scene.sheet.at(-1);
  const players = scene.chairs.flatMap((chair, index) => (chair.playing ? [index] : []));
  const kit = deck.value;
  const called = deal?.called ?? "";
  const cardWide = called ? 250 : 0;
  const cardHigh = Math.round((cardWide * kit.height) / kit.width);
  const top = 150;
  const list = top + Math.max(cardHigh, 340) + 50;
  const sheet = new Sheet(list + players.length * 92 + 110);
  sheet.text(t("brand_long"), EDGE, 92, 46, { bold: true, colour: GOLD });
  sheet.text(t("deal_n", { n: row?.deal ?? "" }), WIDE - EDGE, 92, 42, { align: "right", colour: SOFT });
  const left = EDGE + (cardWide ? cardWide + 44 : 0);
  const room = WIDE - EDGE - left;
  if (called) await sheet.card(called, EDGE, top, cardWide);
  let down = sheet.lines(deal ? resultLine(deal, scene) : "", left, top + 60, 58, room);
  if (called) {
    sheet.text(capital(cardName(called, kit.suits)), left, down + 10, 46, { colour: GOLD, room });
    down += 66;
  }
  if (deal?.result?.kind === "scored")
    sheet.text(t("points_in_tricks", { points: count("point", deal.result.points), tricks: count("trick", deal.result.tricks) }), left, down + 10, 42, { colour: SOFT, room });
  players.forEach((chair, index) => {
    const y = list + index * 92;
    const role = roleOf(scene, chair);
    sheet.box(EDGE, y, WIDE - 2 * EDGE, 80, PAPER);
    sheet.text(nameOf(scene, chair), EDGE + 28, y + 55, 46, { bold: role !== "", room: 400 });
    sheet.text(role, EDGE + 452, y + 54, 40, { colour: GOLD, room: 240 });
    sheet.text(signed(row?.payoff[chair] ?? 0), WIDE - EDGE - 28, y + 56, 50, { bold: true, align: "right" });
  });
  sheet.text(address, WIDE / 2, sheet.canvas.height - 42, 40, { align: "center", colour: SOFT, room: WIDE - 2 * EDGE });
  return sheet.blob();
}

/** The sheet of a game: a column a person, a row a deal, the sums. */
export async function gamePicture(scene: Scene, address: string): Promise<Blob> {
  const people = scene.chairs.flatMap((chair, index) => (chair.kind === "empty" ? [] : [index]));
  const rows = scene.sheet.slice(-ROWS);
  const top = 250;
  const high = 64;
  const sheet = new Sheet(top + (rows.length + 1) * high + 150);
  const first = EDGE + 130;
  const column = (WIDE - EDGE - first) / people.length;
  const centre = (place: number) => first + column * (place + 0.5);
  sheet.text(t("brand_long"), EDGE, 92, 46, { bold: true, colour: GOLD });
  sheet.text(rulesName(scene.table.rules.id), WIDE - EDGE, 92, 40, { align: "right", colour: SOFT, room: 560 });
  people.forEach((chair, place) => {
    const best = scene.table.winners.includes(chair);
    sheet.text(nameOf(scene, chair), centre(place), top - 36, 38, { align: "center", bold: true, colour: best ? GOLD : INK, room: column - 14 });
  });
  for (const [index, row] of rows.entries()) {
    const y = top + index * high;
    if (index % 2 === 0) sheet.box(EDGE - 16, y, WIDE - 2 * EDGE + 32, high, PAPER, 12);
    sheet.text(String(row.deal), EDGE, y + 45, 38, { colour: SOFT });
    if (row.called) sheet.text(rankLetter(rankOf(row.called), deck.value.suits), EDGE + 70, y + 45, 38, { colour: GOLD });
    people.forEach((chair, place) => {
      const sign = chair === row.caller ? t("sign_caller") : chair === row.partner ? t("sign_partner") : "";
      const words = row.kind === "scored" || row.kind === "draw" ? `${signed(row.payoff[chair] ?? 0)}${sign && ` ${sign}`}` : "–";
      sheet.text(words, centre(place), y + 45, 40, { align: "center", bold: sign !== "", colour: sign ? GOLD : INK });
    });
  }
  const sums = top + rows.length * high;
  sheet.text(t("sum"), EDGE, sums + 56, 32, { bold: true, room: 130 });
  people.forEach((chair, place) =>
    sheet.text(signed(scene.chairs[chair]!.score).replace("+", ""), centre(place), sums + 58, 46, { align: "center", bold: true }),
  );
  sheet.text(address, WIDE / 2, sheet.canvas.height - 42, 40, { align: "center", colour: SOFT, room: WIDE - 2 * EDGE });
  return sheet.blob();
}
