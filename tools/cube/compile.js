// Compiles the cubes and queries on standard input with the compiler of Cube, and prints the
// SQL of each query for PostgreSQL: {files: [{name, text}], queries} -> [sql].
const { readFileSync } = require('node:fs');

console.log = console.error; // the compiler prints warnings

// The planner in JavaScript: the other one is in the native part, which npm does not hold.
process.env.CUBEJS_TESSERACT_SQL_PLANNER = 'false';
const { prepareCompiler, PostgresQuery } = require('@cubejs-backend/schema-compiler');

// The native part renders Jinja. A file without Jinja is its own rendering.
const nativeInstance = {
  loadPythonContext: async () => ({ filters: {}, functions: {}, variables: {} }),
  newJinjaEngine: () => {
    const templates = {};
    return {
      loadTemplate: (name, text) => { templates[name] = text; },
      renderTemplate: async (name) => templates[name],
    };
  },
};

async function main() {
  const { files, queries } = JSON.parse(readFileSync(0, 'utf8'));
  const repository = {
    localPath: () => __dirname,
    dataSchemaFiles: async () => files.map(({ name, text }) => ({ fileName: name, content: text })),
  };
  const compilers = prepareCompiler(repository, { nativeInstance });
  await compilers.compiler.compile();
  const sql = queries.map((query) => {
    const [text, params] = new PostgresQuery(compilers, { timezone: 'UTC', ...query }).buildSqlAndParams();
    return text.replace(/\$(\d+)/g, (_, n) => `'${params[n - 1]}'`); // the bounds of ranges
  });
  process.stdout.write(JSON.stringify(sql));
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
