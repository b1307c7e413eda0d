import type { Context } from '../../program/context/context.ts';

/** On a terminal, says first which environment is acted on: a mistake there is the most expensive one. */
export async function announceTarget({ terminal, environments }: Context): Promise<void> {
  if (!terminal.stderr.isTerminal || terminal.isQuiet) return;
  const { name, url, protected: isProtected } = environments.target();
  const { createStyle } = await import('../../terminal/text/style.ts');
  const { danger, strong } = createStyle(terminal.stderr.hasColor);
  const words = `${name} · ${url}${isProtected ? ' · protected' : ''}`;
  terminal.notice(words, { environment: name, url }, isProtected ? danger : strong);
}
