/** The machine of a report. Ratios of two kinds of processors are different with the same code. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Number and kind of the processors, such as `2 × AMD EPYC (family 26, model 2)`: their name alone may mean several generations. */
export function processors() {
  const cores = cpus();
  return `${cores.length} × ${cores[0]?.model ?? 'unknown processor'}${generation(cpuInfo())}`;
}

/**
 * Family and model of the processors on Linux; empty elsewhere.
 * @param {string} info /proc/cpuinfo; empty on other systems, whose names of processors are exact
 */
export function generation(info) {
  const [family, model] = ['cpu family', 'model'].map(
    (name) => new RegExp(`^${name}\\s*: (\\d+)$`, 'm').exec(info)?.[1],
  );
  return family && model ? ` (family ${family}, model ${model})` : '';
}

function cpuInfo() {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    return '';
  }
}
