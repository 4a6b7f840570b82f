// The grammars of dt-sql-parser that are bundled.
export { SparkSQL, TrinoSQL } from 'dt-sql-parser';
