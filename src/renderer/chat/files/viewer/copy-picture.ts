/** Copies a picture as PNG, which every program can paste. */
export async function copyPicture(path: string): Promise<void> {
  // Safari expects the promise of the bytes, within the click.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(path) })]);
}

async function pngOf(path: string): Promise<Blob> {
  const answer = await fetch(path);
  const bitmap = await createImageBitmap(await answer.blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}
