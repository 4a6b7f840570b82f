package mutants_test

// readerSessionMutants are faults of what statements run as on a warehouse.
var readerSessionMutants = []mutant{
	{"SET instead of SET LOCAL", "executor/postgres/session_transaction.go", `		if err := runStatementDiscardingRows(ctx, c, "SET LOCAL ROLE "`, `		if isMutant(NAME) {
			for _, sql := range []string{"COMMIT", "SET ROLE " + quoteIdentifier(s.Role), beginTransactionSQL} {
				_ = runStatementDiscardingRows(ctx, c, sql)
			}
		}
		if err := runStatementDiscardingRows(ctx, c, "SET LOCAL ROLE "`},
	{"settings of the whole session", "executor/postgres/session_transaction.go", `	_, err := c.ExecParams(ctx, "SELECT "`, `	if isMutant(NAME) {
		_ = runStatementDiscardingRows(ctx, c, "COMMIT")
		for i := range calls {
			calls[i] = strings.Replace(calls[i], "true", "false", 1)
		}
	}
	_, err := c.ExecParams(ctx, "SELECT "`},
	{"a role stays on a pooled connection", "executor/postgres/session_transaction.go", `"ROLLBACK"); err != nil`, `map[bool]string{false: "ROLLBACK", true: "COMMIT; SET ROLE tenants"}[isMutant(NAME)]); err != nil`},
	{"no role", "executor/postgres/session_transaction.go", `if s.Role != "" {`, `if s.Role != "" && !isMutant(NAME) {`},
}

// sessionBindingMutants are faults of the binding of a session to its reader.
var sessionBindingMutants = []mutant{
	{"any role", "engine/session.go", "!slices.Contains(declared.AllowedRoles, out.Role)", "!slices.Contains(declared.AllowedRoles, out.Role) && !isMutant(NAME)"},
	{"a missing attribute is empty", "engine/session.go", "	case !ok:\n", "	case !ok && isMutant(NAME):\n		return \"\", nil\n	case !ok:\n"},
	{"values of another session", "engine/field_values.go", "	key += e.sessionKey(ctx, r.values.target)\n", "	if !isMutant(NAME) {\n		key += e.sessionKey(ctx, r.values.target)\n	}\n"},
	{"no session", "engine/connection_set.go", "if err != nil || session == nil {", "if err != nil || session == nil || isMutant(NAME) {"},
}
