/** What this browser remembers between visits; a browser that refuses to remember is no fault. */

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`chiamata.${name}`);
  } catch {
    return null;
  }
}

/** Whether the browser took it: private windows may forbid it, then the choice lasts as long as the page. */
export function remember(name: string, value: string): boolean {
  try {
    localStorage.setItem(`chiamata.${name}`, value);
    return true;
  } catch {
    return false;
  }
}
