// The statements of a dialect for the cases and the compositions, of the folder SEMLAYER_STATEMENTS that `make statements`
// writes; each with the data.sql of the tables that it reads.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const testdata = new URL('../../integration/testdata/', import.meta.url);
const statements = pathToFileURL(`${process.env.SEMLAYER_STATEMENTS}/`);

export function goldens(dialect) {
  const composed = readFileSync(new URL('../compositions/testdata/data.sql', testdata), 'utf8');
  return [
    ...answered(`corpus/${dialect}.txtar`).map(([name, sql]) => ({ name, sql, ddl: ddlOf(sections(new URL(`cases/${name}.txtar`, testdata))) })),
    ...answered(`compositions/${dialect}.txtar`).map(([name, sql]) => ({ name: `compositions/${name}`, sql, ddl: composed })),
  ];
}

// answered has the name and the SQL of each case that the dialect does not reject.
function answered(archive) {
  return [...sections(new URL(archive, statements))].filter(([name, sql]) => name && !sql.startsWith('rejected: '));
}

// ddlOf is the data.sql of a case: its own, else the one of its fixture.
function ddlOf(shown) {
  const fixture = shown.get('').match(/^fixture: (\S+)/m);
  return shown.get('data.sql') ?? readFileSync(new URL(`fixtures/${fixture[1]}/data.sql`, testdata), 'utf8');
}

/** The sections of an archive by their names. */
function sections(url) {
  const parts = readFileSync(url, 'utf8').split(/^-- (\S+) --\n/m);
  const out = new Map([['', parts[0]]]);
  for (let i = 1; i < parts.length; i += 2) out.set(parts[i], parts[i + 1]);
  return out;
}
