package extension

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Param is a parameter with the place of its declaration.
type Param struct {
	*catalog.Param
	modelspec.Place
}

func (o payloadObjectReader) readParams() []Param {
	n := o.findMember("params")
	if o.key = "params"; n == nil {
		return nil
	}
	if n.Kind != document.SequenceNode {
		o.addInvalidError(n, "params must be a list of objects, is %s", describeValue(n))
		return nil
	}
	var out []Param
	given := make(map[string]bool, len(n.Content))
	for _, item := range n.Content {
		p, ok := o.readParam(item)
		if !ok {
			continue
		}
		if given[p.Name] {
			o.addInvalidError(item, "the parameter %q is declared twice", p.Name)
			continue
		}
		given[p.Name] = true
		out = append(out, p)
	}
	return out
}

func (o payloadObjectReader) readParam(n *document.Node) (Param, bool) {
	in, ok := o.payloadReader.openObject(n, &paramShape)
	if !ok {
		return Param{}, false
	}
	before := len(o.Errors)
	p := &catalog.Param{Description: in.readText("description"), Name: in.readText("name")}
	if p.Type = catalog.ParamType(in.readText("type")); p.Type == "" {
		return Param{}, false
	}
	in.readParamDomain(p)
	if len(o.Errors) > before {
		return Param{}, false
	}
	if (p.Type == catalog.ParamInt || p.Type == catalog.ParamFloat) && len(p.Allowed) == 0 && p.Min == nil && p.Max == nil {
		o.addWarning(CodeParamUnbounded, n, "the parameter %s takes any %s; declare allowed, min or max", p.Name, p.Type)
	}
	in.warnCollidingColumnTokens(p)
	return Param{p, o.placeOfNode(n)}, true
}

// readParamDomain reads the values that a parameter takes and holds the default to them.
func (o payloadObjectReader) readParamDomain(p *catalog.Param) {
	p.Default = o.readParamLiteral("default", p.Type)
	if n := o.findMember("allowed"); n != nil {
		o.readAllowedValues(p, n)
	}
	for _, bound := range []struct {
		key string
		to  *sqlexpr.Expr
	}{{"min", &p.Min}, {"max", &p.Max}} {
		n := o.findMember(bound.key)
		if n == nil {
			continue
		}
		if p.Type == catalog.ParamString || p.Type == catalog.ParamBool {
			o.addInvalidError(n, "a %s parameter has no %s; list the values in allowed", p.Type, bound.key)
			continue
		}
		*bound.to = o.readParamLiteral(bound.key, p.Type)
	}
	if p.Min != nil && p.Max != nil && compareLiterals(p.Min, p.Max) > 0 {
		o.addInvalidError(o.n, "the parameter %s has a min above its max", p.Name)
		return
	}
	for _, v := range p.Allowed {
		if isOutsideParamBounds(p, v) {
			o.addInvalidError(o.findMember("allowed"), "the parameter %s allows %s, which is outside of min and max", p.Name, sqlexpr.Format(v))
		}
	}
	if p.Default == nil {
		return
	}
	listed := len(p.Allowed) == 0 || slices.ContainsFunc(p.Allowed, func(v sqlexpr.Expr) bool { return sqlexpr.Equal(v, p.Default) })
	if !listed || isOutsideParamBounds(p, p.Default) {
		o.addInvalidError(o.findMember("default"), "the default of the parameter %s is outside of its domain", p.Name)
	}
}

func isOutsideParamBounds(p *catalog.Param, v sqlexpr.Expr) bool {
	return p.Min != nil && compareLiterals(v, p.Min) < 0 || p.Max != nil && compareLiterals(v, p.Max) > 0
}

// maxAllowedValues bounds the values of one parameter.
const maxAllowedValues = limits.ParamAllowedValues

func (o payloadObjectReader) readAllowedValues(p *catalog.Param, n *document.Node) {
	if n.Kind != document.SequenceNode || len(n.Content) == 0 || len(n.Content) > maxAllowedValues {
		o.addInvalidError(n, "%s must be a list of 1 to %d values, is %s", o.pathForMessage(n), maxAllowedValues, describeValue(n))
		return
	}
	given := make(map[string]bool, len(n.Content))
	for _, item := range n.Content {
		v := o.parseParamLiteral(item, p.Type)
		if v == nil {
			continue
		}
		text := sqlexpr.Format(v)
		if given[text] {
			o.addInvalidError(item, "%s is allowed twice", describeValue(item))
			continue
		}
		given[text] = true
		p.Allowed = append(p.Allowed, v)
	}
}

func (o payloadObjectReader) readParamLiteral(key string, t catalog.ParamType) sqlexpr.Expr {
	if n := o.findMember(key); n != nil {
		return o.parseParamLiteral(n, t)
	}
	return nil
}

// parseParamLiteral reads a value of a parameter's type as a literal in its shortest
// form; nil if it is not one.
func (o payloadObjectReader) parseParamLiteral(n *document.Node, t catalog.ParamType) sqlexpr.Expr {
	switch {
	case t == catalog.ParamString && n.IsText() && !strings.ContainsRune(n.Value, 0):
		return &sqlexpr.String{Value: n.Value}
	case t == catalog.ParamBool && n.IsBool():
		return &sqlexpr.Bool{Value: n.Value == "true"}
	case t == catalog.ParamDate && n.IsText():
		if _, err := time.Parse(time.DateOnly, n.Value); err == nil {
			return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: n.Value}
		}
	case (t == catalog.ParamInt || t == catalog.ParamFloat) && isFiniteNumber(n):
		number := newNumberLiteral(n.Value)
		if text := strings.TrimPrefix(sqlexpr.Format(number), "-"); t == catalog.ParamInt {
			if _, err := strconv.ParseInt(text, 10, 64); err != nil {
				break
			}
		}
		return number
	}
	o.addInvalidError(n, "%s is not %s", describeValue(n), paramTypeDescriptions[t])
	return nil
}

var paramTypeDescriptions = map[catalog.ParamType]string{
	catalog.ParamInt: "an integer", catalog.ParamFloat: "a number", catalog.ParamString: "text",
	catalog.ParamBool: "true or false", catalog.ParamDate: "a date such as \"2024-01-31\"",
}

// newNumberLiteral returns a JSON number as a literal of the language, in its shortest
// form.
func newNumberLiteral(text string) sqlexpr.Expr {
	digits, negative := strings.CutPrefix(text, "-")
	number := sqlexpr.Normalize(&sqlexpr.Number{Text: digits})
	if n, ok := number.(*sqlexpr.Number); negative && (!ok || n.Text != "0") {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: number}
	}
	return number
}

// compareLiterals orders numbers by value and dates by their text.
func compareLiterals(a, b sqlexpr.Expr) int {
	x, okX := catalog.LiteralAsRat(a)
	y, okY := catalog.LiteralAsRat(b)
	if okX && okY {
		return x.Cmp(y)
	}
	return strings.Compare(sqlexpr.Format(a), sqlexpr.Format(b))
}

// warnCollidingColumnTokens warns of allowed values that column names cannot tell apart.
func (o payloadObjectReader) warnCollidingColumnTokens(p *catalog.Param) {
	seen := map[string]string{}
	for _, v := range p.Allowed {
		text := catalog.UnquotedLiteralText(v)
		token := catalog.ColumnNameTokenOfParamValue(text)
		if other, taken := seen[token]; taken {
			o.addWarning(CodeParamValueColumnsCollide, o.findMember("allowed"),
				"the values %q and %q of the parameter %s would name one column %q; their columns take a suffix _h<hex> instead", other, text, p.Name, token)
			return
		}
		seen[token] = text
	}
}

// NumberParamSlot is a parameter slot that stands for a number: ":n".
type NumberParamSlot struct {
	Name string
	modelspec.Place
}

var identifierPattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
