package engine

import "github.com/semlayer/semlayer/semsql/sqlerror"

// SQLStateOf is the SQLSTATE that PostgreSQL's clients read for a code of an error.
func SQLStateOf(code string) string { return sqlerror.SQLStateOf(code) }
