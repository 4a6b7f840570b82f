package mutants_test

// accessMutants are faults of the views of readers, each of which shows a reader more than it may see, or other values.
var accessMutants = []mutant{
	{"no rule at the root scan", "planner/internal/joins/admitted_rows.go", "		n.admits = rule.Admits\n", "		if !isMutant(NAME) {\n			n.admits = rule.Admits\n		}\n"},
	{"no rule at a joined scan", "planner/internal/joins/admitted_rows.go", "		n.table = table\n", "		if n.parent == nil || !isMutant(NAME) {\n			n.table = table\n		}\n"},
	{"rule of a joined dataset as that of the root", "planner/internal/joins/admitted_rows.go", "	case n.parent == nil && rule.Admits != nil", "	case (n.parent == nil || isMutant(NAME)) && rule.Admits != nil"},
	{"roles admit what all of them admit", "modelspec/access/view.go", "combine(sqlexpr.OpOr, alternatives, d)", "combine(map[bool]sqlexpr.BinaryOp{true: sqlexpr.OpAnd, false: sqlexpr.OpOr}[isMutant(NAME)], alternatives, d)"},
	{"required is one more role", "modelspec/access/view.go", "return combine(sqlexpr.OpAnd, all, d)", "return combine(map[bool]sqlexpr.BinaryOp{true: sqlexpr.OpOr, false: sqlexpr.OpAnd}[isMutant(NAME)], all, d)"},
	{"a role unmasks the rows of others", "modelspec/access/view.go", "return g.rule == nil })\n	if always", "return g.rule == nil || isMutant(NAME) })\n	if always"},
	{"a role reveals for others", "modelspec/access/view.go", "slices.Contains(b.revealing, r):", "(slices.Contains(b.revealing, r) || len(b.revealing) > 0 && isMutant(NAME)):"},
	{"keys read masks", "modelspec/compile/view.go", "if f := d.plain[foldCase(name)]; f != nil {", "if f := d.plain[foldCase(name)]; f != nil && !isMutant(NAME) {"},
	{"an attribute may be missing", "engine/reader.go", "if err := id.Check(p.policies); err != nil {", "if err := id.Check(p.policies); err != nil && !isMutant(NAME) {"},
	{"an empty list admits all", "modelspec/sqlexpr/user_attributes.go", "Value: in.Not}", "Value: in.Not || isMutant(NAME)}"},
	{"statements kept without roles", "engine/reader.go", "rights:         &readerRights{view: view, viewKey: key},", "rights:         &readerRights{view: view, viewKey: map[bool]string{false: key}[isMutant(NAME)]},"},
	{"statements kept without attributes", "engine/reader.go", "viewKey: e.rights.viewKey, key: key,", "viewKey: e.rights.viewKey, key: map[bool]string{false: key}[isMutant(NAME)],"},
	{"SQL is shown", "engine/reader.go", "return e.rights != nil && !e.rights.view.SQL }", "return e.rights != nil && !e.rights.view.SQL && !isMutant(NAME) }"},
}

// tokenMutants are faults of the verification of tokens.
var tokenMutants = []mutant{
	{"algorithm of the header", "restapi/identity/jwt.go", "	v := &verifier{issuer: issuer}\n", "	v := &verifier{issuer: issuer}\n	if isMutant(NAME) {\n		issuer.Algorithms = access.Algorithms()\n	}\n"},
	{"any audience", "restapi/identity/jwt.go", "if !v.acceptsAudience(claims[\"aud\"]) {", "if !v.acceptsAudience(claims[\"aud\"]) && !isMutant(NAME) {"},
	{"any issuer of a discovery document", "restapi/identity/fetch_keys.go", "case found.Issuer != place.issuer:", "case found.Issuer != place.issuer && !isMutant(NAME):"},
	{"skew doubled", "restapi/identity/jwt.go", "skew := float64(v.issuer.ClockSkewSeconds)", "skew := float64(v.issuer.ClockSkewSeconds)\n	if isMutant(NAME) {\n		skew *= 2\n	}"},
	{"tokens without an end", "restapi/identity/jwt.go", "	case !ok:\n		return time.Time{}, errors.New(\"exp is missing\")", "	case !ok && !isMutant(NAME):\n		return time.Time{}, errors.New(\"exp is missing\")\n	case !ok:\n		end = seconds + 60"},
}

// barrierMutants are faults of the barrier. Engines compute a condition on forbidden rows only at times, so that the tests of rows miss them.
var barrierMutants = []mutant{
	{"no barrier in tables", "planner/internal/barrier/demands.go", "if len(b.rules) == 0 {\n		return list", "if len(b.rules) == 0 || isMutant(NAME) {\n		return list"},
	{"no barrier", "planner/internal/barrier/guard.go", "if len(b.rules) == 0 || !sqlexpr.CanFail", "if isMutant(NAME) || len(b.rules) == 0 || !sqlexpr.CanFail"},
}
