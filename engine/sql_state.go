package engine

import "github.com/semlayer/semlayer/semsql/sqlerror"

// SQLStateOfCode returns the SQLSTATE that PostgreSQL's clients read for a code of an error.
func SQLStateOfCode(code string) string { return sqlerror.SQLStateOfCode(code) }
