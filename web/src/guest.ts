/** The name under which this browser plays. */
import { signal } from "@preact/signals";
import { api } from "./api.ts";
import { recall, remember } from "./memory.ts";
import { t } from "./words.ts";

export const guestName = signal(recall("name") ?? "");
/** Does the house know this name already (by its cookie)? */
export const known = signal(false);

/** Asks the house who we are; a name that was typed meanwhile stands. */
export async function recallMe(): Promise<void> {
  const before = guestName.value;
  try {
    const { name } = await api.me();
    if (name) {
      if (guestName.value === before) guestName.value = name;
      known.value = true;
    }
  } catch {
    // Nobody yet: the name is asked for when it is needed.
  }
}

/** Has the house forget us: its cookie opens no chair any more, and pages that are open become a stranger's. */
export async function forgetMe(): Promise<void> {
  await api.forgetMe();
  guestName.value = "";
  known.value = false;
  remember("name", "");
}

/** Tells the house our name, an invented one where none was given. */
export async function introduce(): Promise<void> {
  const wish = guestName.value.trim() || t("guest");
  const { name } = await api.callMe(wish);
  guestName.value = name;
  known.value = true;
  remember("name", name);
}
