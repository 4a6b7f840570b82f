// The statements that the corpus makes for a dialect, of testdata/dialects, or of the cases
// for those dialects that the cases show, and the compositions of outer SQL; each with the data.sql of
// the tables that it reads.
import { readFileSync, readdirSync } from 'node:fs';

const testdata = new URL('../../integration/testdata/', import.meta.url);

export function goldens(dialect) {
  const out = [];
  for (const topic of readdirSync(new URL('cases/', testdata))) {
    const own = dialect === 'postgres' ? undefined : sections(new URL(`dialects/${dialect}/${topic}.txtar`, testdata));
    for (const file of readdirSync(new URL(`cases/${topic}/`, testdata))) {
      const name = file.replace(/\.txtar$/, '');
      const shown = sections(new URL(`cases/${topic}/${file}`, testdata));
      let sql = own ? own.get(name) : shown.get(`${dialect}.sql`);
      if (sql?.startsWith('as ')) sql = shown.get(`${sql.slice(3).trim()}.sql`);
      if (sql && !sql.startsWith('refused: ')) out.push({ name: `${topic}/${name}`, sql, ddl: ddlOf(shown) });
    }
  }
  return out.concat(compositions(dialect));
}

// compositions are statements of outer SQL over finished queries.
function compositions(dialect) {
  const folder = new URL('../../integration/compositions/testdata/', import.meta.url);
  const ddl = readFileSync(new URL('data.sql', folder), 'utf8');
  const out = [];
  for (const file of readdirSync(new URL(`dialects/${dialect}/`, folder))) {
    for (const [name, sql] of sections(new URL(`dialects/${dialect}/${file}`, folder))) {
      if (sql && !sql.startsWith('refused: ')) out.push({ name: `compositions/${file.replace(/\.txtar$/, '')}/${name}`, sql, ddl });
    }
  }
  return out;
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
