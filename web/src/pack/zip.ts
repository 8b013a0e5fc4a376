/** Reads a zip without trusting it: what it says of itself is checked, and unpacking stops at a limit. */

export interface Entry {
  name: string;
  /** Unpacks the file; null where it is broken or longer than `most` bytes. */
  read: (most: number) => Promise<Uint8Array<ArrayBuffer> | null>;
}

const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [STORED, DEFLATED] = [0, 8];
/** The end's record is 22 bytes long, and a comment of at most 65,535 follows it. */
const END_LENGTH = 22;
const FARTHEST = END_LENGTH + 0xffff;

/** The files of a zip, at most `most`; null for what is no zip, or is locked, split or of the 64-bit kind. */
export function entries(bytes: Uint8Array<ArrayBuffer>, most: number): Entry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = endOf(view);
    if (end < 0) return null;
    const [count, found] = [view.getUint16(end + 10, true), [] as Entry[]];
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < Math.min(count, most); index++) {
      if (view.getUint32(at, true) !== ENTRY || view.getUint16(at + 8, true) & 1) return null;
      const [name, more, note] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
      found.push(entry(bytes, view, at, new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name))));
      at += 46 + name + more + note;
    }
    return found;
  } catch (error) {
    if (error instanceof RangeError) return null; // an offset that points outside
    throw error;
  }
}

function endOf(view: DataView): number {
  for (let at = view.byteLength - END_LENGTH; at >= Math.max(0, view.byteLength - FARTHEST); at--)
    if (view.getUint32(at, true) === END) return at;
  return -1;
}

function entry(bytes: Uint8Array<ArrayBuffer>, view: DataView, at: number, name: string): Entry {
  const [method, packed, local] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
  if (view.getUint32(local, true) !== LOCAL) throw new RangeError("no file where the directory says");
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = bytes.slice(start, start + packed);
  const read = async (most: number) => {
    if (method === STORED) return content.length <= most ? content : null;
    return method === DEFLATED ? inflate(content, most) : null;
  };
  return { name, read };
}

/** Unpacks piece by piece, so that a small file that claims to be endless is given up in time. */
async function inflate(content: Uint8Array<ArrayBuffer>, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      length += value!.length;
      if (length > most) return await reader.cancel().then(() => null);
      pieces.push(value!);
    }
  } catch {
    return null; // not what deflate writes
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
