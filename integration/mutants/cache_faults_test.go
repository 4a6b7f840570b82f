package mutants_test

// cacheUseMutants are faults of the use of the result cache.
var cacheUseMutants = []mutant{
	{"key without revision", "engine/result_store.go", "range []string{scope, ", "range []string{map[bool]string{false: scope}[isMutant(NAME)], "},
	{"key without connection", "engine/result_store.go", "c.target.connectionName(), string(", "map[bool]string{false: c.target.connectionName()}[isMutant(NAME)], string("},
	{"key without policy", "engine/result_store.go", "e.readerKey(), session,", "map[bool]string{false: e.readerKey()}[isMutant(NAME)], session,"},
	{"key without session", "engine/cached_statement.go", "e.resultKey(scope, session, c)", "e.resultKey(scope, map[bool]string{false: session}[isMutant(NAME)], c)"},
	{"freshness read after the statement", "engine/cached_statement.go", "		begin(resultcache.Beginning{State: o.readStates(ctx), Oldest: c.freshTime})\n", `		if isMutant(NAME) {
			defer func() { begin(resultcache.Beginning{State: o.readStates(ctx), Oldest: c.freshTime}) }()
		} else {
			begin(resultcache.Beginning{State: o.readStates(ctx), Oldest: c.freshTime})
		}
`},
	{"a result kept without its freshness", "engine/cached_statement.go", "	o.keeps = err == nil\n", "	o.keeps = err == nil || isMutant(NAME)\n"},
	{"a slot per waiter", "engine/cached_statement.go", "	leave := s.enter(scope)\n", `	if isMutant(NAME) {
		release, err := take(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	leave := s.enter(scope)
`},
	{"tag of the SQL alone", "engine/stream_tag.go", "		return hex.EncodeToString(written.Sum(nil)), nil\n", `		if isMutant(NAME) {
			written.Reset()
			written.Write([]byte(s.SQL))
		}
		return hex.EncodeToString(written.Sum(nil)), nil
`},
	{"volatile statements kept", "engine/compile.go", "e.warehouses.results != nil && plan.IsVolatile(planned.Root)", "e.warehouses.results != nil && plan.IsVolatile(planned.Root) && !isMutant(NAME)"},
	{"rows of the first quota", "engine/row_quota.go", "	most, ok := ctx.Value(rowQuotaKey{}).(int64)\n	if !ok {", "	most, ok := ctx.Value(rowQuotaKey{}).(int64)\n	if _, arrives := rows.(*quotaRows); !ok || isMutant(NAME) && !arrives {"},
	{"entries outlive their revision", "engine/result_store.go", "		if gone {\n", "		if gone && !isMutant(NAME) {\n"},
}

// cacheMutants are faults of the result cache.
var cacheMutants = []mutant{
	{"an error kept", "executor/resultcache/flight.go", "			_ = source.Close() // the first error counts\n			f.fail(err)\n", `			_ = source.Close() // the first error counts
			if isMutant(NAME) {
				f.complete()
				return
			}
			f.fail(err)
`},
	{"a cut stream kept", "executor/resultcache/flight.go", "		batch, err := source.Next(ctx)\n", `		batch, err := source.Next(ctx)
		if ctx.Err() != nil && isMutant(NAME) {
			err = io.EOF
		}
`},
	{"a leaving first client cancels all", "executor/resultcache/rows.go", "	f.firstLeft = true\n", `	f.firstLeft = true
	if isMutant(NAME) {
		f.cancel()
	}
`},
	{"a panic hangs those that wait", "executor/resultcache/flight.go", "			f.failAfterPanic(source, p)\n", `			if !isMutant(NAME) {
				f.failAfterPanic(source, p)
			}
`},
	{"a drop spares running statements", "executor/resultcache/cache.go", "			f.dropped = true\n", "			f.dropped = !isMutant(NAME)\n"},
	{"an entry of any age", "executor/resultcache/cache.go", "return r.MaxAge == nil || now.Sub(began) <= *r.MaxAge", "return r.MaxAge == nil || now.Sub(began) <= *r.MaxAge || isMutant(NAME)"},
	{"the bound passed", "executor/resultcache/cache.go", "	if c.bytes-c.evictable+n > c.options.MaxBytes {\n		return false\n	}\n	for c.bytes+n > c.options.MaxBytes {", "	if c.bytes-c.evictable+n > c.options.MaxBytes && !isMutant(NAME) {\n		return false\n	}\n	for c.bytes+n > c.options.MaxBytes && !isMutant(NAME) {"},
}
