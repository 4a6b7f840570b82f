package sqlexpr

// rewritesByNameAndArgCount are functions that only some engines have and whose meaning the language
// has under another form, by name in lower case and number of arguments. Unlike the
// other names of a function they differ in more than the name.
var rewritesByNameAndArgCount = map[string]map[int]func(*Call) Expr{
	"nvl2": {3: func(c *Call) Expr {
		return &Case{Position: c.Position, Whens: []When{{Cond: &IsNull{Position: c.Position, Not: true, X: c.Args[0]}, Then: c.Args[1]}}, Else: c.Args[2]}
	}},
	"count_if": {1: func(c *Call) Expr { return c.newReplacementCall(FnCount, newOneWhenTrueCase(c.Args[0])) }},
	"isnull":   {2: func(c *Call) Expr { return c.newReplacementCall(FnCoalesce, c.Args...) }},
	"zeroifnull": {1: func(c *Call) Expr {
		return c.newReplacementCall(FnCoalesce, c.Args[0], &Number{Position: c.Position, Text: "0"})
	}},
	"nullifzero": {1: func(c *Call) Expr {
		return c.newReplacementCall(FnNullIf, c.Args[0], &Number{Position: c.Position, Text: "0"})
	}},
	"log10":     {1: func(c *Call) Expr { return c.newReplacementCall(FnLog, c.Args...) }},
	"charindex": {2: func(c *Call) Expr { return c.newReplacementCall(FnPosition, c.Args...) }},
	"instr":     {2: func(c *Call) Expr { return c.newReplacementCall(FnPosition, c.Args[1], c.Args[0]) }},
}

// newReplacementCall returns a call of another function in the place of c.
func (c *Call) newReplacementCall(fn Func, args ...Expr) *Call {
	return &Call{Position: c.Position, Fn: fn, Name: Name{Text: InfoOfFunction(fn).Name}, Args: args}
}

// rewriteEngineSpecificCall returns what a call means where the language has another form for it, and
// else the call.
func rewriteEngineSpecificCall(c *Call) Expr {
	if c.Fn != FnUnknown || c.Name.Quoted || c.Distinct || c.Star {
		return c
	}
	var buf [maxKeywordOrFunctionNameLength]byte
	name, ok := lowerASCII(&buf, c.Name.Text)
	if !ok {
		return c
	}
	if form := rewritesByNameAndArgCount[string(name)][len(c.Args)]; form != nil {
		return form(c)
	}
	return c
}
