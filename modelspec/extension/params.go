package extension

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Param is a parameter with the place of its declaration.
type Param struct {
	*catalog.Param
	modelspec.Place
}

var paramTypes = []string{"int", "float", "string", "bool", "date"}

func (o object) params() []Param {
	o.key = "params"
	n := o.get("params")
	if n == nil {
		return nil
	}
	if n.kind != kindList {
		o.invalid(n, "params must be a list of objects, is %s", n.describe())
		return nil
	}
	var out []Param
	given := make(map[string]bool, len(n.list))
	for _, item := range n.list {
		p, ok := o.param(item)
		if !ok {
			continue
		}
		if given[p.Name] {
			o.invalid(item, "the parameter %q is declared twice", p.Name)
			continue
		}
		given[p.Name] = true
		out = append(out, p)
	}
	return out
}

func (o object) param(n *node) (Param, bool) {
	in, ok := o.reader.object(n, paramShape.keys()...)
	if !ok {
		return Param{}, false
	}
	before := len(o.Errors)
	p := &catalog.Param{Description: in.str("description")}
	if name := in.requireKey("name", "a name"); name != nil {
		if p.Name = o.text(name); p.Name != "" && !identifier.MatchString(p.Name) {
			o.invalid(name, "%q is not a name for a parameter: letters, digits and _ only", p.Name)
		}
	}
	if in.requireKey("type", "one of "+strings.Join(paramTypes, ", ")) == nil {
		return Param{}, false
	}
	if p.Type = catalog.ParamType(in.enum("type", "", paramTypes...)); p.Type == "" {
		return Param{}, false
	}
	in.domain(p)
	if len(o.Errors) > before {
		return Param{}, false
	}
	if (p.Type == catalog.ParamInt || p.Type == catalog.ParamFloat) && len(p.Allowed) == 0 && p.Min == nil && p.Max == nil {
		o.warn(CodeParamUnbounded, n, "the parameter %s takes any %s; declare allowed, min or max", p.Name, p.Type)
	}
	in.warnEqualTokens(p)
	return Param{p, o.placeOf(n)}, true
}

// domain reads the values that a parameter takes and holds the default to them.
func (o object) domain(p *catalog.Param) {
	p.Default = o.literal("default", p.Type)
	if n := o.get("allowed"); n != nil {
		o.readAllowed(p, n)
	}
	for _, bound := range []struct {
		key string
		to  *sqlexpr.Expr
	}{{"min", &p.Min}, {"max", &p.Max}} {
		n := o.get(bound.key)
		if n == nil {
			continue
		}
		if p.Type == catalog.ParamString || p.Type == catalog.ParamBool {
			o.invalid(n, "a %s parameter has no %s; list the values in allowed", p.Type, bound.key)
			continue
		}
		*bound.to = o.literal(bound.key, p.Type)
	}
	if p.Min != nil && p.Max != nil && compareLiterals(p.Min, p.Max) > 0 {
		o.invalid(o.n, "the parameter %s has a min above its max", p.Name)
		return
	}
	for _, v := range p.Allowed {
		if isOutsideDomain(p, v) {
			o.invalid(o.get("allowed"), "the parameter %s allows %s, which is outside of min and max", p.Name, sqlexpr.Format(v))
		}
	}
	if p.Default == nil {
		return
	}
	listed := len(p.Allowed) == 0 || slices.ContainsFunc(p.Allowed, func(v sqlexpr.Expr) bool { return sqlexpr.Equal(v, p.Default) })
	if !listed || isOutsideDomain(p, p.Default) {
		o.invalid(o.get("default"), "the default of the parameter %s is outside of its domain", p.Name)
	}
}

func isOutsideDomain(p *catalog.Param, v sqlexpr.Expr) bool {
	return p.Min != nil && compareLiterals(v, p.Min) < 0 || p.Max != nil && compareLiterals(v, p.Max) > 0
}

// maxAllowed bounds the values of one parameter.
const maxAllowed = limits.ParamAllowed

func (o object) readAllowed(p *catalog.Param, n *node) {
	if n.kind != kindList || len(n.list) == 0 || len(n.list) > maxAllowed {
		o.invalid(n, "%s must be a list of 1 to %d values, is %s", valueLabel(n), maxAllowed, n.describe())
		return
	}
	given := make(map[string]bool, len(n.list))
	for _, item := range n.list {
		v := o.literalAt(item, p.Type)
		if v == nil {
			continue
		}
		text := sqlexpr.Format(v)
		if given[text] {
			o.invalid(item, "%s is allowed twice", item.describe())
			continue
		}
		given[text] = true
		p.Allowed = append(p.Allowed, v)
	}
}

func (o object) literal(key string, t catalog.ParamType) sqlexpr.Expr {
	if n := o.get(key); n != nil {
		return o.literalAt(n, t)
	}
	return nil
}

// literalAt reads a value of a parameter's type as a literal in its shortest
// form; nil if it is not one.
func (o object) literalAt(n *node, t catalog.ParamType) sqlexpr.Expr {
	switch {
	case t == catalog.ParamString && n.kind == kindString && !strings.ContainsRune(n.text, 0):
		return &sqlexpr.String{Value: n.text}
	case t == catalog.ParamBool && n.kind == kindBool:
		return &sqlexpr.Bool{Value: n.truth}
	case t == catalog.ParamDate && n.kind == kindString:
		if _, err := time.Parse(time.DateOnly, n.text); err == nil {
			return &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: n.text}
		}
	case (t == catalog.ParamInt || t == catalog.ParamFloat) && isFinite(n):
		number := numberLiteral(n.text)
		if text := strings.TrimPrefix(sqlexpr.Format(number), "-"); t == catalog.ParamInt {
			if _, err := strconv.ParseInt(text, 10, 64); err != nil {
				break
			}
		}
		return number
	}
	o.invalid(n, "%s is not %s", n.describe(), paramTypeTexts[t])
	return nil
}

var paramTypeTexts = map[catalog.ParamType]string{
	catalog.ParamInt: "an integer", catalog.ParamFloat: "a number", catalog.ParamString: "text",
	catalog.ParamBool: "true or false", catalog.ParamDate: "a date such as \"2024-01-31\"",
}

// numberLiteral is a JSON number as a literal of the language, in its shortest
// form.
func numberLiteral(text string) sqlexpr.Expr {
	digits, negative := strings.CutPrefix(text, "-")
	number := sqlexpr.Normalize(&sqlexpr.Number{Text: digits})
	if n, ok := number.(*sqlexpr.Number); negative && (!ok || n.Text != "0") {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: number}
	}
	return number
}

// compareLiterals orders numbers by value and dates by their text.
func compareLiterals(a, b sqlexpr.Expr) int {
	x, okX := catalog.LiteralRat(a)
	y, okY := catalog.LiteralRat(b)
	if okX && okY {
		return x.Cmp(y)
	}
	return strings.Compare(sqlexpr.Format(a), sqlexpr.Format(b))
}

// warnEqualTokens warns of allowed values that column names cannot tell apart.
func (o object) warnEqualTokens(p *catalog.Param) {
	seen := map[string]string{}
	for _, v := range p.Allowed {
		text := catalog.LiteralText(v)
		token := catalog.ParamToken(text)
		if other, taken := seen[token]; taken {
			o.warn(CodeParamOpaqueToken, o.get("allowed"),
				"the values %q and %q of the parameter %s would name one column %q; their columns take a suffix _h<hex> instead", other, text, p.Name, token)
			return
		}
		seen[token] = text
	}
}
