package mutants_test

// accessMutants are faults of the views of readers, each of which shows a reader more than it may see, or other values.
var accessMutants = []mutant{
	{"no rule at the root scan", "planner/internal/joins/admitted_rows.go", "		n.admits = rule.Admits\n", "		if !isMutant(NAME) {\n			n.admits = rule.Admits\n		}\n"},
	{"no rule at a joined scan", "planner/internal/joins/admitted_rows.go", "		n.table = newAdmittedRowsTable(t, rule)\n", "		if n.parent == nil || !isMutant(NAME) {\n			n.table = newAdmittedRowsTable(t, rule)\n		}\n"},
	{"rule of a joined dataset as that of the root", "planner/internal/joins/admitted_rows.go", "	case n.parent == nil && rule.Admits != nil", "	case (n.parent == nil || isMutant(NAME)) && rule.Admits != nil"},
	{"the rows of a rule keep the attributes of a reader", "planner/internal/joins/fixed_rows.go", "	return f.admittedBy(sqlexpr.BindUserAttributes(f.admits, attributes))", "	bound := f.admittedBy(sqlexpr.BindUserAttributes(f.admits, attributes))\n	if isMutant(NAME) {\n		f.bound, f.hasAttributes = bound, false\n	}\n	return bound"},
	{"roles admit what all of them admit", "modelspec/access/view.go", "combine(sqlexpr.OpOr, alternatives, d)", "combine(map[bool]sqlexpr.BinaryOp{true: sqlexpr.OpAnd, false: sqlexpr.OpOr}[isMutant(NAME)], alternatives, d)"},
	{"required is one more role", "modelspec/access/view.go", "return combine(sqlexpr.OpAnd, all, d)", "return combine(map[bool]sqlexpr.BinaryOp{true: sqlexpr.OpOr, false: sqlexpr.OpAnd}[isMutant(NAME)], all, d)"},
	{"a role unmasks the rows of others", "modelspec/access/view.go", "return g.rule == nil })\n	if always", "return g.rule == nil || isMutant(NAME) })\n	if always"},
	{"a role reveals for others", "modelspec/access/view.go", "slices.Contains(b.revealing, r):", "(slices.Contains(b.revealing, r) || len(b.revealing) > 0 && isMutant(NAME)):"},
	{"keys read masks", "modelspec/compile/view.go", "if f := d.plain[foldCase(name)]; f != nil {", "if f := d.plain[foldCase(name)]; f != nil && !isMutant(NAME) {"},
	{"an attribute may be missing", "engine/reader.go", "if err := id.Check(p.policies); err != nil {", "if err := id.Check(p.policies); err != nil && !isMutant(NAME) {"},
	{"an empty list admits all", "modelspec/sqlexpr/user_attributes.go", "Value: in.Not}", "Value: in.Not || isMutant(NAME)}"},
	{"statements kept without roles", "engine/enforced_policies.go", "&readerRights{view: view, viewKey: key,", "&readerRights{view: view, viewKey: map[bool]string{false: key}[isMutant(NAME)],"},
	{"statements kept without attributes", "engine/reader.go", "policiesHash: e.rights.policiesHash, key: key,", "policiesHash: e.rights.policiesHash, key: map[bool]string{false: key}[isMutant(NAME)],"},
	{"no rule in the tables of levels of detail", "planner/internal/lod/tables.go", "	tree := joins.New(l.in.Cat, l.in.Target.Dialect, l.in.Target.Caps, home, l.NewTables(stack))\n", "	rule := home.Rows\n	if isMutant(NAME) {\n		home.Rows = nil\n	}\n	tree := joins.New(l.in.Cat, l.in.Target.Dialect, l.in.Target.Caps, home, l.NewTables(stack))\n	home.Rows = rule\n"},
	{"no rule in the second branch", "planner/internal/combine/combined.go", "		inputs[i] = g.Node\n", "		inputs[i] = g.Node\n		if i > 0 && isMutant(NAME) {\n			inputs[i] = plan.Rewrite(g.Node, func(n plan.Node) plan.Node {\n				if f, ok := n.(*plan.Filter); ok && f.Rule {\n					return f.Input\n				}\n				return n\n			})\n		}\n"},
	{"no rule in the second statement of an attribution", "planner/internal/attribute/planned.go", "	return append([]*plan.PlannedQuery{a.Totals}, a.Dimensions...)\n", "	out := append([]*plan.PlannedQuery{a.Totals}, a.Dimensions...)\n	if len(out) > 1 && isMutant(NAME) {\n		second := *out[1]\n		second.Root = plan.Rewrite(second.Root, func(n plan.Node) plan.Node {\n				if f, ok := n.(*plan.Filter); ok && f.Rule {\n					return f.Input\n				}\n				return n\n			})\n		out[1] = &second\n	}\n	return out\n"},
	{"no rule in the second role of a dataset", "planner/internal/joins/tree.go", "	c.virtual = t.stored.mayHold(at, s)\n	c.admitRows(t)\n", "	c.virtual = t.stored.mayHold(at, s)\n	if !isMutant(NAME) || !slices.ContainsFunc(t.nodes, func(n *Node) bool { return n.Dataset == c.Dataset }) {\n		c.admitRows(t)\n	}\n"},
	{"another name brings a hidden column back", "modelspec/access/view.go", "strings.ToLower(c.Path[len(c.Path)-1].Text)]; ok {", "strings.ToLower(c.Path[len(c.Path)-1].Text)]; ok && !isMutant(NAME) {"},
	{"words of the warehouse", "engine/reader_rights.go", "	if !e.hidesSQL() {\n		return err\n	}\n	said", "	if !e.hidesSQL() || isMutant(NAME) {\n		return err\n	}\n	said"},
	{"views kept from former policies", "engine/enforced_policies.go", "view, p.file.Hash+\" \"+key)", "view, map[bool]string{false: p.file.Hash}[isMutant(NAME)]+\" \"+key)"},
	{"find and candidates of the whole model", "engine/enforced_policies.go", "return find.NewIndex(cat, embeddedDialect) }", "return find.NewIndex(map[bool]*catalog.Catalog{true: p.whole.cat, false: cat}[isMutant(NAME)], embeddedDialect) }"},
	{"the index of another role set", "engine/enforced_policies.go", "return p.indexOfView(key, cat) }", "return p.indexOfView(map[bool]string{false: key}[isMutant(NAME)], cat) }"},
	{"statements over the whole model", "engine/enforced_policies.go", "return semsql.New(cat) }", "return semsql.New(map[bool]*catalog.Catalog{true: whole.cat, false: cat}[isMutant(NAME)]) }"},
	{"a mask after grouping", "planner/internal/grouping/planner.go", `	return &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: home, Why: why}
`, `	out := &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: home, Why: why}
	if len(keys) == 0 || !isMutant(NAME) {
		return out
	}
	out.Keys = slices.Clone(keys)
	for _, f := range p.Br.Home.Plain {
		if c, ok := f.Expr.Default.(*sqlexpr.Column); ok {
			out.Keys = append(out.Keys, plan.NamedExpr{Name: "plain " + f.Name, Expr: sqlexpr.NewTwoPartColumn(home, c.Path[len(c.Path)-1]), Type: f.Type})
		}
	}
	return &plan.Project{Input: out, Cols: slices.Delete(out.Schema().ColumnRefs(), len(keys), len(out.Keys))}
`},
	{"what reads a hidden field is found once", "modelspec/access/view.go", "				b.hide(f, reason{reads: what})\n				changed = true\n", "				b.hide(f, reason{reads: what})\n				changed = !isMutant(NAME)\n"},
	{"names of levels are not looked up", "modelspec/access/hidden_names.go", "	if l == nil {\n		return \"\"\n	}\n", "	if l == nil || isMutant(NAME) {\n		return \"\"\n	}\n"},
	{"saved queries at invented values exist", "planner/check_saved_queries.go", "err == nil || complete {\n			return err\n", "err == nil || complete || isMutant(NAME) {\n			if !complete {\n				return nil\n			}\n			return err\n"},
	{"broken objects exist", "modelspec/access/hidden_names.go", "	case inView == nil:\n		return false\n", "	case inView == nil, inWhole != nil && isMutant(NAME):\n		return false\n"},
	{"a mask rounds the values of other roles", "modelspec/access/view.go", "		if len(shown) > 0 {\n			mask = maskBesidePlain", "		if len(shown) > 0 && !isMutant(NAME) {\n			mask = maskBesidePlain"},
	{"findings of a view", "modelspec/access/view.go", "if !out.SeesAll { // they", "if !out.SeesAll && !isMutant(NAME) { // they"},
	{"hidden keys are suggested", "modelspec/catalog/lod_join_paths.go", "!HidesColumnsOf(s.Rel)", "(!HidesColumnsOf(s.Rel) || isMutant(NAME))"},
	{"hidden columns of a join are suggested", "semsql/internal/resolve/join_edge.go", "bool { return catalog.HidesColumnsOf(e.rel) })", "bool { return catalog.HidesColumnsOf(e.rel) && !isMutant(NAME) })"},
	{"SQL is shown", "engine/reader_rights.go", "return e.rights != nil && !e.rights.view.SQL }", "return e.rights != nil && !e.rights.view.SQL && !isMutant(NAME) }"},
}

// policiesMutants are faults of the reading of a policies file.
var policiesMutants = []mutant{
	{"an empty grant is all", "modelspec/access/role_parser.go", `if n := o.findRequired("rows", "all or a row rule"); n != nil {`, `if n := o.find("rows"); n != nil || !isMutant(NAME) && o.findRequired("rows", "all or a row rule") != nil {`},
}

// catalogueMutants are faults of the catalogue of the PostgreSQL port.
var catalogueMutants = []mutant{
	{"catalogue of other readers", "pgwire/catalogue/catalogue.go", "s.Model.Revision(), s.Model.ViewKey()", "s.Model.Revision(), map[bool]string{false: s.Model.ViewKey()}[isMutant(NAME)]"},
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
	{"tables are not kept apart", "planner/internal/barrier/guard.go", "case g.caps.FiltersBeforeJoins && readsSeveralTables(d.Input):", "case g.caps.FiltersBeforeJoins && readsSeveralTables(d.Input) && !isMutant(NAME):"},
	{"no barrier in tables", "planner/internal/barrier/demands.go", "b := g.blockOf(input)\n	out = list", "if isMutant(NAME) {\n		return list, false\n	}\n	b := g.blockOf(input)\n	out = list"},
	{"no barrier", "planner/internal/barrier/guard.go", "	if rule == nil {\n		return e", "	if rule == nil || isMutant(NAME) {\n		return e"},
}
