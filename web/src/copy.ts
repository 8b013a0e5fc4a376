/** Texts for other apps. */

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages without https have no clipboard: select the text and use the old way.
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Whether the phone's own share sheet did its part, if only to be shut again; it refuses what comes long after a tap. */
async function handOver(data: ShareData): Promise<boolean> {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** Hands a picture to the phone's own share sheet, else keeps it as a file; true where it was kept. */
export async function sharePicture(picture: Blob, name: string, text: string): Promise<boolean> {
  const files = [new File([picture], name, { type: picture.type })];
  const taken = [{ files, text }, { files }].find((data) => navigator.canShare?.(data));
  if (taken && (await handOver(taken))) return false;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return true;
}

/** Hands a text to the phone's own share sheet, else to the clipboard; true where it was copied. */
export async function share(text: string): Promise<boolean> {
  if ("share" in navigator && (await handOver({ text }))) return false;
  await copyText(text);
  return true;
}
