// Package injection tests that no text of a caller can inject SQL: it sends hostile texts
// through every input and reads the statements that reach an engine.
//
//	texts × inputs ─► HTTP server ─► engine ─┬─► DuckDB, whose own log of queries is read
//	                                         └─► tap on the wire ─► PostgreSQL, MariaDB
//
// A text is a quote, a comment, a control character, a placeholder, a function that
// reads a file. An input is a place of a request: a metric's name, a bound of a range,
// a literal of a condition, a parameter, any part of a statement in SQL, a header, an
// expression of a model that is to be judged.
//
// # What has to hold
//
//   - A response is an error with a code of the registries, or rows. Nothing is a
//     defect of the engine, and no value makes a warehouse reject a statement.
//   - With rows, one statement has reached the engine: the very one that the response
//     shows, one SELECT by the lexical rules of the engine. With an error of the
//     planner, none has.
//   - A text in the place of a value is a value. The table has a row for every text
//     that a column can hold, and a condition finds the rows that it names, by
//     equality one and by a pattern those that a matcher written here finds.
//   - Afterwards the catalog, the settings and the rows are what they were, the
//     folder of the canary file has no new file, no response holds the file's content,
//     and nothing took as long as the sleeps of the texts would.
//
// Controls show that each of these would be seen: the same functions, asked of the
// same engines by hand, do read the file.
//
// SEMLAYER_TEST_LONG=1 crosses every text with every input; else those inputs that parse
// a text in the same way share the texts among them.
package injection
