import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** Debian keeps it off PATH. */
const WINE = '/usr/lib/wine/wine64';

/** A Windows of its own in a folder. */
export interface Windows {
  /** What starts a Windows program. */
  wine: string;
  /** All variables of this Windows; PATH is that of Linux. */
  env: Record<string, string>;
  stop(): void;
}

/** Installs Debian's Wine when it is missing, as root, and sets up a Windows 10 in the folder. */
export function installWindows(folder: string): Windows {
  if (!existsSync(WINE)) installWine();
  const prefix = path.join(folder, 'windows');
  const home = path.join(folder, 'home');
  mkdirSync(home, { recursive: true });
  // Without DISPLAY, for which Wine would look for fonts and windows.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // The desktop is started at the first key in a console, which now and then waits ten seconds for it.
    WINEDLLOVERRIDES: 'explorer.exe=d',
  };
  const options = { env, stdio: 'ignore' } as const;
  if (!existsSync(prefix)) {
    execFileSync(WINE, ['wineboot', '--init'], options);
    // Node refuses the Windows 7 that is Wine's default.
    execFileSync(WINE, ['winecfg', '-v', 'win10'], options);
  }
  return {
    wine: WINE,
    env,
    // It fails when nothing was started.
    stop: () => void spawnSync('/usr/lib/wine/wineserver', ['--kill'], options),
  };
}

function installWine(): void {
  const apt = (...words: string[]) =>
    execFileSync('apt-get', [...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update', '-qq');
  apt('install', '-qq', '-y', '--no-install-recommends', 'wine64');
}
