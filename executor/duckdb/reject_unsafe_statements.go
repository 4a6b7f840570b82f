package duckdb

import (
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
)

// notSelectError returns the error of a text that is not exactly one SELECT. The engine writes nothing
// else, so it is a defect and not the fault of a query.
func notSelectError(why string) error {
	return &executor.Error{Code: executor.CodeInternal, Message: "the statement is rejected: " + why}
}

// unsafeTableFunctions are the table functions that change the database, write to the output of
// the process, or run a text as a statement, although a statement that calls them is a SELECT.
// lock_configuration does not hold them back: after enable_logging with a folder that is not
// allowed, every further statement fails.
var unsafeTableFunctions = []string{
	"enable_logging", "disable_logging", "truncate_duckdb_logs", "enable_profiling", "disable_profiling",
	"enable_peg_parser", "disable_peg_parser", "checkpoint", "force_checkpoint",
	"json_execute_serialized_sql", "query", "arrow_scan", "arrow_scan_dumb",
}

// parseStatementSQL returns a statement's parsed form, as JSON.
const parseStatementSQL = "SELECT CAST(json_serialize_sql(CAST($1 AS VARCHAR)) AS VARCHAR)"

// rejectUnsafeFunctions rejects a statement that calls one of the changing functions. The parsed form
// is requested only when a name occurs in the text.
func (c *connection) rejectUnsafeFunctions(sql string) error {
	var suspects []string
	lower := strings.ToLower(sql)
	for _, name := range unsafeTableFunctions {
		if strings.Contains(lower, name) {
			suspects = append(suspects, name)
		}
	}
	if len(suspects) == 0 {
		return nil
	}
	tree, err := c.queryOneText(parseStatementSQL, sql)
	if err != nil {
		return err
	}
	// A quote inside a value is escaped, so only the name of a function matches.
	tree = strings.ToLower(tree)
	if !strings.Contains(tree, `"error":false`) {
		return notSelectError("its functions cannot be read")
	}
	for _, name := range suspects {
		if strings.Contains(tree, `"function_name":"`+name+`"`) {
			return notSelectError("it calls " + name)
		}
	}
	return nil
}

// checkIsSelect rejects a prepared statement that is not a SELECT.
func checkIsSelect(prepared bindings.PreparedStatement) error {
	if bindings.PreparedStatementType(prepared) != bindings.StatementTypeSelect {
		return notSelectError("it is not a SELECT")
	}
	return nil
}
