import { Chalk } from 'chalk';
import type { PetStatus } from '../../contract/pet.ts';

/** The few ways in which this program marks words. Nothing is said by color alone. */
export interface Style {
  header(text: string): string;
  strong(text: string): string;
  /** Where a mistake would hurt: a protected environment. */
  danger(text: string): string;
  error(text: string): string;
  /** A line to try. */
  next(text: string): string;
  status(status: PetStatus): string;
  /** What a check found. */
  finding: Record<'pass' | 'warn' | 'fail' | 'skip', (text: string) => string>;
}

/** Sixteen colors at most: they follow the reader's own theme. */
export function createStyle(hasColor: boolean): Style {
  const chalk = new Chalk({ level: hasColor ? 1 : 0 });
  const colors = { available: chalk.green, pending: chalk.yellow, sold: chalk.dim };
  return {
    header: chalk.dim,
    strong: chalk.bold,
    danger: chalk.bold.red,
    error: chalk.red,
    next: chalk.cyan,
    status: (status) => colors[status](status),
    finding: { pass: chalk.green, warn: chalk.yellow, fail: chalk.bold.red, skip: chalk.dim },
  };
}
