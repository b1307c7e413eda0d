import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes a CSV file of so many pets, as `petstore import` reads it. */
export function writeDelivery(file: string, rows: number): void {
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, 'name,categoryId,status\n');
  for (let first = 1; first <= rows; first += 10_000) {
    const lines = Array.from({ length: Math.min(10_000, rows - first + 1) }, (_, at) => {
      return `Rex ${first + at},${((first + at) % 50) + 1},available\n`;
    });
    writeSync(descriptor, lines.join(''));
  }
  closeSync(descriptor);
}
