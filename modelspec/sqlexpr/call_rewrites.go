package sqlexpr

// callRewrites are functions that only some engines have and whose meaning the language
// has under another form, by name in lower case and number of arguments. Unlike the
// other names of a function they differ in more than the name.
var callRewrites = map[string]map[int]func(*Call) Expr{
	"nvl2": {3: func(c *Call) Expr {
		return &Case{At: c.At, Whens: []When{{Cond: &IsNull{At: c.At, Not: true, X: c.Args[0]}, Then: c.Args[1]}}, Else: c.Args[2]}
	}},
	"isnull":     {2: func(c *Call) Expr { return c.withFunc(FnCoalesce, c.Args...) }},
	"zeroifnull": {1: func(c *Call) Expr { return c.withFunc(FnCoalesce, c.Args[0], &Number{At: c.At, Text: "0"}) }},
	"nullifzero": {1: func(c *Call) Expr { return c.withFunc(FnNullIf, c.Args[0], &Number{At: c.At, Text: "0"}) }},
	"charindex":  {2: func(c *Call) Expr { return c.withFunc(FnPosition, c.Args...) }},
	"instr":      {2: func(c *Call) Expr { return c.withFunc(FnPosition, c.Args[1], c.Args[0]) }},
}

// withFunc is a call of another function in the place of c.
func (c *Call) withFunc(fn Func, args ...Expr) *Call {
	return &Call{At: c.At, Fn: fn, Name: Name{Text: InfoOf(fn).Name}, Args: args}
}

// rewriteCall returns what a call means where the language has another form for it, and
// else the call.
func rewriteCall(c *Call) Expr {
	if c.Fn != FnUnknown || c.Name.Quoted || c.Distinct || c.Star {
		return c
	}
	var buf [longestWord]byte
	name, ok := foldASCII(&buf, c.Name.Text)
	if !ok {
		return c
	}
	if form := callRewrites[string(name)][len(c.Args)]; form != nil {
		return form(c)
	}
	return c
}
