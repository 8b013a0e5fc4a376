/** Choosing a pack of one's own: a zip, a folder or pictures. Loaded when it is asked for. */
import { useState } from "preact/hooks";
import { keep, own, OWN, type Pack } from "../own.ts";
import { RANKS, readPack, type Fault, type Found } from "../pack/read.ts";
import { deckWish } from "../settings.ts";
import { t } from "../words.ts";
import { Chooser } from "./Chooser.tsx";
import { Modal } from "./Modal.tsx";

/** Of two shapes that differ by less, both look right in the same box. */
const ALIKE = 0.03;
/** Width by height: from the narrowest regional cards to the widest that still stand. */
const [NARROWEST, WIDEST] = [0.45, 0.8];
/** So many faults are told at once. */
const TOLD = 6;

/** The width and height of a picture in px; null where it cannot be drawn. */
async function sizeOf(blob: Blob): Promise<[number, number] | null> {
  const picture = new Image();
  picture.src = URL.createObjectURL(blob);
  try {
    await picture.decode();
    return picture.naturalWidth && picture.naturalHeight ? [picture.naturalWidth, picture.naturalHeight] : null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(picture.src);
  }
}

/** The pack of these pictures where all can be drawn and have one shape; else what is wrong. */
async function measured(found: Found, suits: Pack["suits"]): Promise<Pack | Fault[]> {
  const faults: Fault[] = [];
  let first: { file: string; size: [number, number] } | null = null;
  for (const [card, { file, blob }] of found.pictures) {
    const size = await sizeOf(blob);
    if (!size) {
      faults.push({ key: "pack_broken", values: { file } });
      continue;
    }
    const ratio = size[0] / size[1];
    if (ratio < NARROWEST || ratio > WIDEST) faults.push({ key: "pack_ratio", values: { file, size: size.join(" × ") } });
    else if (!first) first = { file, size };
    else if (card !== "back" && Math.abs(ratio / (first.size[0] / first.size[1]) - 1) > ALIKE)
      faults.push({ key: "pack_shape", values: { file, size: size.join(" × "), other: first.file, others: first.size.join(" × ") } });
  }
  if (faults.length || !first) return faults;
  const blobs = Object.fromEntries([...found.pictures].map(([card, { blob }]) => [card, blob]));
  const ranks = found.pictures.has("10D") ? [...RANKS, "10"] : [...RANKS];
  return { suits, width: first.size[0], height: first.size[1], ranks, blobs };
}

export function PackSheet({ onClose }: { onClose: () => void }) {
  const [faults, setFaults] = useState<Fault[]>([]);
  const [suits, setSuits] = useState<Pack["suits"]>(own.value?.deck.suits === "french" ? "french" : "latin");
  const [unkept, setUnkept] = useState(false);
  const take = async (list: FileList | null) => {
    if (!list?.length) return;
    const found = await readPack([...list]);
    const pack = found.faults.length ? found.faults : await measured(found, suits);
    setFaults(Array.isArray(pack) ? pack : []);
    if (Array.isArray(pack)) return;
    deckWish.value = OWN;
    setUnkept(!(await keep(pack)));
  };
  const remove = async () => {
    deckWish.value = "classica";
    await keep(null);
    setUnkept(false);
  };
  return (
    <Modal title={t("pack_title")} onClose={onClose}>
      <div class="pack-sheet">
        <p>{t("pack_line")}</p>
        <p>{t("pack_names")}</p>
        <fieldset class="segments">
          <legend>{t("pack_suits")}</legend>
          {(["latin", "french"] as const).map((one) => (
            <label key={one} class={suits === one ? "chosen" : ""}>
              <input type="radio" name="pack-suits" class="hidden" checked={suits === one} onChange={() => setSuits(one)} />
              <span>{t(one === "latin" ? "pack_latin" : "pack_french")}</span>
            </label>
          ))}
        </fieldset>
        <Chooser multiple words={t("pack_zip")} accept=".zip,.png,.jpg,.jpeg,.webp,.svg" onFiles={take} />
        <Chooser multiple words={t("pack_folder")} folder onFiles={take} />
        <div role="status">
          {faults.slice(0, TOLD).map(({ key, values }) => (
            <p key={JSON.stringify([key, values])} class="fault">
              {t(key, values)}
            </p>
          ))}
          {!faults.length && own.value && <p>{t(unkept ? "pack_unkept" : "pack_kept")}</p>}
        </div>
        {own.value && (
          <button type="button" class="btn quiet" onClick={remove}>
            {t("pack_remove")}
          </button>
        )}
      </div>
    </Modal>
  );
}
