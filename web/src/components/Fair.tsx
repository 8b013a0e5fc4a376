/** After a deal: does it hold? And what to take along to check it oneself. */
import { verdict, type Verdict } from "../dealing.ts";
import type { Transcript } from "../fair.ts";
import { nameOf } from "../seats.ts";
import { drawer } from "../store.ts";
import type { Scene } from "../wire.ts";
import { fair } from "../words.ts";
import type { FairKey } from "../generated/keys.ts";
import { Icon } from "./Icon.tsx";
import { Modal } from "./Modal.tsx";

/** The verdict on the deal that this Scene shows, once there is one. */
function verdictOn(scene: Scene): Verdict | null {
  const found = verdict.value;
  return found && scene.fair?.step === "ended" && found.deal === scene.fair.deal ? found : null;
}

/** The tick below a result. */
export function FairTick({ scene }: { scene: Scene }) {
  const found = verdictOn(scene);
  if (!found) return null;
  return (
    <button type="button" class={`btn quiet fair-tick ${found.fine ? "fine" : "wrong"}`} onClick={() => (drawer.value = "fair")} data-fair>
      <Icon name={found.fine ? "check" : "close"} />
      <span>{fair(found.fine ? "fine" : "wrong")}</span>
    </button>
  );
}

export function FairDrawer({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const found = verdict.value;
  return (
    <Modal title={fair("title")} onClose={onClose}>
      {found?.told ? <Checks scene={scene} found={found} told={found.told} /> : <p>{fair("unloaded")}</p>}
    </Modal>
  );
}

function Checks({ scene, found, told }: { scene: Scene; found: Verdict; told: Transcript }) {
  const path = `/api/tables/${told.table}`;
  return (
    <div class="fair-checks">
      <ul>
        {Object.entries(found.answer).map(([name, fine]) => (
          <li key={name} class={fine ? "fine" : "wrong"}>
            <Icon name={fine ? "check" : "close"} />
            <span>{fair(`check_${name}` as FairKey)}</span>
          </li>
        ))}
      </ul>
      <Givers scene={scene} told={told} />
      <p>{fair("proves")}</p>
      <p>{fair("proves_not")}</p>
      <dl>
        <dt>{fair("promise")}</dt>
        <dd>
          <code>{told.commitment}</code>
        </dd>
        {found.kept.share && <dt>{fair("my_bytes")}</dt>}
        {found.kept.share && (
          <dd>
            <code>{found.kept.share}</code>
          </dd>
        )}
      </dl>
      <div class="menu-list">
        <a class="btn quiet" href={`${path}/deals/${told.deal}/transcript`} download={`${told.table}-${told.deal}.json`}>
          {fair("save")}
        </a>
        <a class="btn quiet" href={`${path}/transcripts`} download={`${told.table}.json`}>
          {fair("save_all")}
        </a>
        <a class="btn quiet" href="/verify.py" download="verify.py">
          {fair("script")}
        </a>
        <a class="btn quiet" href="/verify.html" download="verify.html">
          {fair("page")}
        </a>
      </div>
    </div>
  );
}

/** Who put something in, who sealed and stayed away, who cut. */
function Givers({ scene, told }: { scene: Scene; told: Transcript }) {
  const names = (fits: (seat: number) => boolean): string =>
    told.seats
      .map((_, seat) => seat)
      .filter(fits)
      .map((seat) => nameOf(scene, told.chairs[seat]!))
      .join(", ");
  const gave = names((seat) => !!told.shares[seat]);
  const absent = names((seat) => !!told.commitments[seat] && !told.shares[seat]);
  return (
    <p>
      {gave ? fair("gave", { names: gave }) : fair("gave_none")}
      <br />
      {told.cutter < 0 ? fair("cut_none") : fair("cut_by", { name: nameOf(scene, told.chairs[told.cutter]!), n: told.cut })}
      {absent && <br />}
      {absent && fair("absent", { names: absent })}
    </p>
  );
}
