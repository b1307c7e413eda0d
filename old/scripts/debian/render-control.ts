import manifest from '../../package.json' with { type: 'json' };

const ARCHITECTURE = 'amd64';

/**
 * The name of the package file, and its control file (deb-control(5)). Without libsecret everything but the keychain
 * works, so it is recommended. The C library is the one that the SQLite addon was built against.
 * @param size bytes of the installed files.
 */
export function renderControl(size: number): { name: string; control: string } {
  // What comes before a release sorts before it in Debian by a tilde.
  const version = manifest.version.replaceAll('-', '~');
  const fields = {
    Package: 'petstore',
    Version: version,
    Architecture: ARCHITECTURE,
    Maintainer: findMaintainer(),
    'Installed-Size': `${Math.ceil(size / 1024)}`,
    Depends: 'libc6 (>= 2.29), libgcc-s1, libstdc++6',
    Recommends: 'libsecret-1-0',
    Section: 'utils',
    Priority: 'optional',
    Description: `manage the pets of a pet store from a terminal or a script
 Lists, adds and imports pets in the environments of a pet store service, with
 API keys in the keychain of the desktop. The service itself is in the npm
 package ${manifest.name}.`,
  };
  const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\n`);
  return { name: `petstore_${version}_${ARCHITECTURE}.deb`, control: lines.join('') };
}

/** The publisher's name and address, once package.json has them (docs/release.md). */
function findMaintainer(): string {
  return 'author' in manifest ? String(manifest.author) : 'The petstore authors';
}
