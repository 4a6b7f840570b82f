// Package corpus reads the case files: text archives of named sections.
//
//	fixture: retail            ┐ settings, one a line
//	engines: duckdb postgres   ┘
//	A sum skips NULL amounts.    the rule that the case shows, in one sentence
//	-- query.json --
//	{"metrics":["revenue"]}
//	-- rows.txt --
//	revenue
//	283.5
//
// A query of the detail plane is in select.json instead.
//
// The settings are fixture (the folder of the model and the data), engines (the
// ones that can execute it; default all) and dialects (for an error: the ones that
// reject it; default all). A case without a fixture brings model.yaml and
// data.sql along; model.yaml beside a fixture takes the place of the fixture's
// model. A section named for one engine, data.mysql.sql or oracle.mysql.sql, takes
// the place of the general one there.
package corpus
