/**
 * Offers an address as a download. A browser saves it; the desktop app asks for a place, and allows only data of the page.
 * @param name of the file; empty for the name in the answer
 */
export function download(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
