/** What these tests change in Windows' Node, in Wine or in the way petstore is started, so that they say nothing about it. */
export const differences: readonly string[] = [
  "Wine instead of Windows: its console, Credential Manager, file system and cmd.exe are Wine's own",
  'sockets have no keep-alive: Wine 8 lacks that option, and connecting fails over it (wine-setup.cjs)',
  'Node 24 does not find VirtualAlloc2, whose placeholders Wine 8 refuses (install-windows-node.ts)',
  "npm's petstore.cmd lacks one jump, at which Wine's cmd.exe would stop (install-package.ts)",
  "the terminal is raw before the program starts, and until Wine's console has gone (start-launcher.ts)",
  'on a terminal NO_COLOR is set: the console of Wine loses its place in colored text (start-launcher.ts)',
  'pipes of Linux become pipes of Windows in between, which Wine cannot hand through (agent.cjs, relay.cjs)',
  'the desktop is not started: a console may wait ten seconds for it at its first key (install-windows.ts)',
  'a start that Wine refuses with an unknown error is tried again (agent.cjs, start-launcher.ts)',
  'a signal of the test ends the program at once, as Windows has no signals (agent.cjs)',
  'a connection that a program writes to when it is ended may stay open: its client gives up (crash-rounds.ts, import-crash.test.ts)',
  'HOME of the test becomes USERPROFILE, APPDATA, LOCALAPPDATA and TEMP (wine-setup.cjs)',
  'PowerShell is not there: its lines are compared as text, its completion is not run',
];
