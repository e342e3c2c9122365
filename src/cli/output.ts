/** Output of numbers and lists for a person. */

/** Rows with aligned cells. */
export function columns(rows: readonly string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** For example `1.5 MiB`. */
export function describeBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** For example `3 d 4 h`, `12 min` or `5 s`. */
export function describeDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 1) return `${hours} h ${minutes % 60} min`;
  return minutes >= 1 ? `${minutes} min` : `${seconds} s`;
}

/** Prints a result: as JSON if requested, or for a person. */
export function show<Result>(
  options: { json?: true },
  result: Result,
  describe: (result: Result) => string,
): void {
  console.log(options.json ? JSON.stringify(result, null, 2) : describe(result));
}
