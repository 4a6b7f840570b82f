// The tables of a data.sql as a schema.
const types = {
  INTEGER: 'BIGINT', BIGINT: 'BIGINT', DECIMAL: 'DECIMAL', 'DOUBLE PRECISION': 'DOUBLE', BOOLEAN: 'BOOLEAN',
  VARCHAR: 'VARCHAR', DATE: 'DATE', TIMESTAMP: 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE': 'TIMESTAMPTZ',
};

export function schemaOf(ddl) {
  const tables = [];
  for (const [, name, body] of ddl.matchAll(/CREATE TABLE\s+("[^"]+"|\S+)\s*\(([\s\S]*?)\);/g)) {
    tables.push({ name: unquoted(name), columns: columnsOf(body) });
  }
  return { tables, strict: true };
}

// quotedNames are the names that a data.sql has in quotes.
export function quotedNames(ddl) {
  return new Set([...ddl.matchAll(/"(?:[^"]|"")+"/g)].map(([name]) => unquoted(name)));
}

function columnsOf(body) {
  const columns = [];
  for (const part of body.replace(/\([^()]*\)/g, '').split(',')) {
    const [, name, rest] = part.trim().match(/^("(?:[^"]|"")+"|\w+)\s+(.+)$/) ?? [];
    if (!name || part.trim().startsWith('PRIMARY KEY')) continue;
    const type = types[rest.toUpperCase().replace(/\s+(NOT )?NULL.*$|\s+PRIMARY KEY.*$/, '')];
    if (!type) throw new Error(`no type for ${part}`);
    columns.push({ name: unquoted(name), type, nullable: true });
  }
  return columns;
}

// unquoted is a name in lower case: the engines look for columns in any.
function unquoted(name) {
  return (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name).toLowerCase();
}
