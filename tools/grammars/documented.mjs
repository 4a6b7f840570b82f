// Syntax that an engine documents and that its grammar here lacks, as the grammar's own syntax with the
// same operands: the rest of the statement is parsed all the same. The key is the grammar and the dialect.
const documented = {
  // https://docs.aws.amazon.com/redshift/latest/dg/r_LISTAGG.html,
  // https://docs.aws.amazon.com/redshift/latest/dg/r_COUNT.html
  'libpg-query redshift': [
    [/\bLISTAGG\(DISTINCT /g, 'LISTAGG('],
    [/\bAPPROXIMATE COUNT\(DISTINCT /g, 'COUNT(DISTINCT '],
  ],
  // The grammar takes `a - CASE` for a name with a hyphen; CASE is an expression that - takes:
  // https://docs.databricks.com/en/sql/language-manual/functions/case.html
  'antlr databricks': [[/ - CASE /g, ' + CASE ']],
  // MySQL has neither GROUPING SETS nor the empty set of columns; these two have both:
  // https://doris.apache.org/docs/sql-manual/sql-statements/data-query/SELECT,
  // https://docs.starrocks.io/docs/sql-reference/sql-statements/table_bucket_part_index/SELECT/SELECT_GROUP_BY/
  'sqlparser doris': [[/\bGROUP BY GROUPING SETS (\(.*\))$/gm, groupingSetsAsCall]],
  'sqlparser starrocks': [[/\bGROUP BY GROUPING SETS (\(.*\))$/gm, groupingSetsAsCall]],
  // An aggregate of both, which the grammar does not know for one:
  // https://doris.apache.org/docs/sql-manual/sql-functions/aggregate-functions/percentile-approx,
  // https://docs.starrocks.io/docs/sql-reference/sql-functions/aggregate-functions/percentile_approx/
  'polyglot doris': [[/\bPERCENTILE_APPROX\(/g, 'APPROX_PERCENTILE(']],
  'polyglot starrocks': [[/\bPERCENTILE_APPROX\(/g, 'APPROX_PERCENTILE(']],
};

function groupingSetsAsCall(_, sets) {
  return `GROUP BY grouping_sets${sets.replaceAll('()', '(NULL)')}`;
}

// asKnown is a statement of a dialect as a grammar reads it.
export function asKnown(grammar, dialect, sql) {
  const found = documented[`${grammar} ${dialect}`] ?? [];
  return found.reduce((text, [syntax, known]) => text.replace(syntax, known), sql);
}

// isInWithinGroup reports whether a place, counted from 1, is in the order of an aggregate or at its end. The
// columns there are the aggregate's own: https://docs.snowflake.com/en/sql-reference/functions/percentile_cont.
export function isInWithinGroup(sql, line, column) {
  const at = sql.split('\n').slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  for (const { index } of sql.matchAll(/\bWITHIN GROUP \(/g)) {
    if (index < at && at <= endOfParentheses(sql, sql.indexOf('(', index))) return true;
  }
  return false;
}

// endOfParentheses is where the parenthesis at a place ends; those in texts and names do not count.
function endOfParentheses(sql, start) {
  let depth = 0;
  for (const { 0: token, index } of sql.slice(start).matchAll(/'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|[()]/g)) {
    if (token === '(') depth++;
    if (token === ')' && --depth === 0) return start + index;
  }
  return sql.length;
}
