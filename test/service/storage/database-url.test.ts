import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDatabaseUrl, resolveDatabase } from '../../../src/service/storage/database-url.ts';

// On Windows such a path is of the current drive.
const shownFile = `sqlite:${path.resolve('/var/lib/petstore.db')}`;

describe('a database URL', () => {
  it.each([
    ['sqlite:/var/lib/petstore.db', shownFile],
    ['sqlite:pets.db', `sqlite:${path.resolve('pets.db')}`],
    ['SQLITE:pets.db', `sqlite:${path.resolve('pets.db')}`],
    ['sqlite:///var/lib/petstore.db', shownFile],
    [' sqlite:/var/lib/petstore.db\n', shownFile],
    ['data/pets.db', `sqlite:${path.resolve('data/pets.db')}`],
    ['/srv/my pets?.db', `sqlite:${path.resolve('/srv/my pets?.db')}`],
    ['postgres://db.test/petstore', 'postgres://db.test/petstore'],
    ['postgresql://till:Sesame9@db.test:6432/petstore', 'postgres://db.test:6432/petstore'],
    ['postgres://till:p%40ss@db.test/petstore', 'postgres://db.test/petstore'],
    ['postgres://db.test/petstore?sslmode=verify-full&user=till', 'postgres://db.test/petstore'],
    ['postgres:///petstore?host=/run/postgresql', 'postgres:///run/postgresql/petstore'],
  ])('%s is shown as %s', (text, shown) => {
    expect(parseDatabaseUrl(text).shown).toBe(shown);
  });

  it('is petstore.db in the data folder when none is given', () => {
    expect(resolveDatabase(undefined, () => '/var/lib').shown).toBe(shownFile);
  });

  it('needs no data folder when one is given', () => {
    const refuse = () => {
      throw new Error('no HOME');
    };
    expect(resolveDatabase('sqlite:/a.db', refuse)).toMatchObject({ file: path.resolve('/a.db') });
  });

  it.each([
    ["'postgres://till:Sesame9@db.test/petstore'", 'quotation marks'],
    ['"sqlite:/Sesame9.db"', 'quotation marks'],
    ['postgres://till:Sesame#9@db.test/petstore', '# as %23'],
    ['postgres://till:Sesame/9@db.test/petstore', '/ as %2F'],
    ['postgres://till:Sesame?9@db.test/petstore', '? as %3F'],
    ['postgres://till:9#Sesame@db.test/petstore', '# as %23'],
    ['postgres://till:9/Sesame@db.test/petstore', '/ as %2F'],
    ['postgres://till:9?Sesame@db.test/petstore', '? as %3F'],
    ['postgres://db.test/petstore?user=till:Sesame9', 'before the host'],
    ['postgres://db.test/petstore?user=till&password=Sesame9', 'before the host'],
    ['postgres://till:Sesame9@db.test', 'name of the database'],
    ['postgres:/till:Sesame9@db.test/petstore', 'write sqlite:'],
    ['postgre://till:Sesame9@db.test/petstore', 'write sqlite:'],
    ['mysql://till:Sesame9@db.test/petstore', 'write sqlite:'],
    ['till:Sesame9@db.test/petstore', 'write sqlite:'],
    ['Sesame9@db.test/petstore', 'write sqlite:'],
    ['host=db.test user=till password=Sesame9', 'write sqlite:'],
    ['sqlite:postgres://till:Sesame9@db.test/petstore', 'write sqlite:'],
    ['postgres://db.test/petstore?ssl_mode=Sesame', 'its parameters may be'],
    ['postgres://db.test/petstore?sslmode=prefer&x=Sesame', 'its parameters may be'],
    ['postgres://db.test/petstore?sslmode=prefer', 'sslmode must be one of'],
    ['postgres://db.test/petstore?sslmode=require&sslmode=no-verify', 'parameter twice'],
    ['postgres://db.test/petstore?sslmode=', 'sslmode must be one of'],
    ['postgres://db.test/petstore?sslrootcert=/nothing.pem', 'no file /nothing.pem'],
    ['', 'write sqlite:'],
    ['sqlite:', 'path of a file'],
    ['sqlite::memory:', 'path of a file'],
    ['sqlite://Sesame9/petstore.db', 'without //'],
    ['sqlite:~/Sesame9.db', 'whole path'],
  ])('%s is refused in words that repeat nothing of it', (text, words) => {
    expect(() => parseDatabaseUrl(text)).toThrow(words);
    expect(() => parseDatabaseUrl(text)).not.toThrow('Sesame');
  });

  it('never shows a password, whatever characters it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 8 }), (noise) => {
        const text = `postgres://till:${noise}Sesame${noise}@db.test/petstore`;
        expect(show(text)).not.toContain('Sesame');
      }),
    );
  });
});

/** What may be read of a text: how it is shown, or what the error says. */
function show(text: string): string {
  try {
    return parseDatabaseUrl(text).shown;
  } catch (error) {
    return String(error);
  }
}
