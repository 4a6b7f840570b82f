package sqlexpr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// CallParts are a call whose operands are expressions already.
type CallParts struct {
	Position Position
	Name     Name
	Distinct bool
	Args     []Expr
	Order    []OrderItem // of an ordered aggregate: inside of its parentheses or in WITHIN GROUP
	Filter   Expr        // nil when absent
}

// NewCall returns the expression that the parser reads from the text of a call within QueryLimits: the call, or the form of the
// language for it. An error is a *SyntaxError; its place counts from that of the call.
func NewCall(parts CallParts) (Expr, error) {
	c := newNamedCall(parts.Position, parts.Name)
	c.Distinct, c.Args = parts.Distinct, slices.Clone(parts.Args)
	if strings.EqualFold(c.Name.Text, "date_part") {
		return newDatePartCall(c)
	}
	if x := c.setArgs(parts); x != nil {
		return nil, x.errorFrom(c.Position)
	}
	if isPercentileCall(c) && len(parts.Order) == 0 {
		return nil, newExpectedError(utf8.RuneCountInString(Format(c)), "WITHIN GROUP (ORDER BY …) after "+strings.ToUpper(c.Name.Text), "end of text", "")
	}
	if x := c.normalizeAggregate(); x != nil {
		return nil, x.errorFrom(c.Position)
	}
	if parts.Filter != nil {
		if x := c.filterProblem(parts.Filter.Pos()); x != nil {
			return nil, x.errorFrom(c.Position)
		}
		c = c.foldFilterIntoArguments(parts.Filter)
	}
	return rewriteEngineSpecificCall(c), nil
}

// setArgs checks the arguments of a call and gives it its order.
func (c *Call) setArgs(parts CallParts) *problem {
	if c.Distinct {
		if x := c.distinctProblem(c.Pos() + len(c.Name.Text) + 1); x != nil {
			return x
		}
	}
	switch c.Fn {
	case FnDateTrunc, FnDateAdd, FnDateDiff:
		if !c.normalizeUnit() {
			return c.unitProblem()
		}
	case FnTrim:
		c.Name = Name{Text: InfoOfFunction(c.Fn).Name}
	}
	if x := c.thirdListaggArgProblem(); x != nil {
		return x
	}
	ordered := c.Fn == FnListagg || c.Fn == FnOtherAggregate || isPercentileCall(c)
	if len(parts.Order) > 0 && !ordered {
		return &problem{at: parts.Order[0].X.Pos(), text: "WITHIN GROUP is only for ordered aggregates; the order of " + strings.ToUpper(c.Name.Text)}
	}
	if x := c.checkArity(); x != nil {
		return x
	}
	if x := c.literalCostProblem(); x != nil {
		return x
	}
	c.appendOrder(parts.Order)
	return nil
}

// normalizeUnit gives the first argument, a unit of time as text, its one name.
func (c *Call) normalizeUnit() bool {
	if len(c.Args) == 0 {
		return c.Fn == FnDateTrunc
	}
	text, ok := c.Args[0].(*String)
	if !ok {
		return false
	}
	unit, ok := intervalUnitOfSpelling(text.Value)
	c.Args[0] = &String{Position: text.Position, Value: unit}
	return ok
}

// literalCostProblem checks what the literals of a call make it cost.
func (c *Call) literalCostProblem() *problem {
	alone := *c
	alone.Args = slices.Clone(c.Args)
	for i, x := range alone.Args {
		if !IsLiteral(x) {
			alone.Args[i] = &Param{}
		}
	}
	if t := CheckTextFunctionCost(&alone, QueryLimits()); t != nil {
		return &problem{at: c.Pos(), text: t.Problem, hint: t.Hint}
	}
	return nil
}

// IsLiteral reports whether an expression is a literal, possibly with a sign.
func IsLiteral(e Expr) bool {
	switch e := e.(type) {
	case *Number, *String, *Bool, *Null, *TypedLiteral, *Interval:
		return true
	case *Unary:
		_, number := e.X.(*Number)
		return number && e.Op != OpNot
	}
	return false
}

func newNamedCall(at Position, name Name) *Call {
	c := &Call{Position: at, Name: name}
	if info, ok := LookupFunc(name.Text); ok {
		c.Fn = info.Fn
	}
	return c
}

// distinctProblem checks that a call takes the DISTINCT at a place.
func (c *Call) distinctProblem(at int) *problem {
	switch {
	case isCountIfCall(c):
		return &problem{at: at, text: "COUNT_IF counts rows; DISTINCT in it"}
	case InfoOfFunction(c.Fn).Class != ClassAggregate && c.Fn != FnUnknown:
		return &problem{at: at, text: "DISTINCT is only for aggregates; DISTINCT in " + InfoOfFunction(c.Fn).Name}
	}
	return nil
}

// checkArity checks the number of arguments.
func (c *Call) checkArity() *problem {
	if c.belongsToOneEngine() {
		c.Fn = FnUnknown
	}
	info := InfoOfFunction(c.Fn)
	if isPercentileCall(c) {
		return nil // the value that it takes follows in WITHIN GROUP
	}
	if n := len(c.Args); !c.Star && (n < info.MinArgs || info.MaxArgs >= 0 && n > info.MaxArgs) {
		return &problem{at: c.Pos(), text: fmt.Sprintf("%s takes %s and has %d", info.Name, info.arityText(), n)}
	}
	return nil
}

// newDatePartCall returns the EXTRACT that DATE_PART(part, x) is.
func newDatePartCall(c *Call) (Expr, error) {
	if len(c.Args) != 2 {
		x := &problem{at: c.Pos(), text: fmt.Sprintf("DATE_PART takes 2 arguments and has %d", len(c.Args))}
		return nil, x.errorFrom(c.Position)
	}
	part, ok := c.Args[0].(*String)
	if !ok {
		x := &problem{at: c.Pos(), text: "DATE_PART does not begin with a part of a date; the call", hint: "the parts are " + datePartNamesText}
		return nil, x.errorFrom(c.Position)
	}
	return newExtract(c.Position, "DATE_PART", part.Value, Format(part), c.Args[1])
}

// NewExtract returns EXTRACT(part FROM x). An error is a *SyntaxError.
func NewExtract(at Position, part string, x Expr) (Expr, error) {
	return newExtract(at, "EXTRACT", part, part, x)
}

func newExtract(at Position, function, part, written string, x Expr) (Expr, error) {
	known, ok := datePartOfSpelling(part)
	if !ok {
		return nil, newExpectedError(len(function)+1, "a part of a date in "+function, lexical.ShortenForMessage(written), "the parts are "+datePartNamesText)
	}
	return &Extract{Position: at, Part: known, X: x}, nil
}

// NewCast returns a cast to a type by its name, with length or precision and scale. An error is a *SyntaxError.
func NewCast(at Position, x Expr, name string, args ...int) (*Cast, error) {
	to := TypeName{Name: strings.ToUpper(name), Args: args}
	to.Type = castTypesByName[to.Name]
	place := len("CAST(x AS ")
	for _, n := range args {
		if n < 0 {
			return nil, newExpectedError(place+len(name)+1, expectedTypeArgumentText, strconv.Itoa(n), "")
		}
	}
	if to.Type == TypeUnknown {
		unknown := &problem{at: place, text: to.unknownTypeText(), hint: "the types are " + typeNamesText}
		return nil, unknown.errorFrom(0)
	}
	return &Cast{Position: at, X: x, To: to}, nil
}

// NewInterval returns INTERVAL 'value' unit, where the value may hold the unit. An error is a *SyntaxError.
func NewInterval(at Position, value, unit string) (*Interval, error) {
	literal := Format(&String{Value: value})
	count, own, ok := readIntervalText(value)
	switch {
	case !ok, own != "" && unit != "":
		return nil, intervalProblem(len("INTERVAL "), literal).errorFrom(0)
	case own == "" && unit == "":
		return nil, newExpectedError(len("INTERVAL ")+utf8.RuneCountInString(literal)+1, expectedUnitText, "end of text", "the units are "+intervalUnitsText)
	case own == "":
		own = unit
	}
	return &Interval{Position: at, Count: count, Unit: own}, nil
}

// errorFrom returns the error of a problem; its place counts from the beginning of the expression.
func (x *problem) errorFrom(start Position) error {
	at := max(x.at-int(start), 0)
	return &SyntaxError{Offset: at, Position: at + 1, Problem: x.text, Hint: x.hint}
}

func newExpectedError(at int, expected, found, hint string) error {
	return &SyntaxError{Offset: at, Position: at + 1, Expected: expected, Found: found, Hint: hint}
}

// twoPartColumnAllocation is a column of two parts in one piece of memory.
type twoPartColumnAllocation struct {
	Column
	parts [2]Name
}

// NewTwoPartColumn returns the column of a table that has an alias.
func NewTwoPartColumn(alias string, column Name) *Column {
	c := &twoPartColumnAllocation{parts: [2]Name{{Text: alias, Quoted: true}, column}}
	c.Path = c.parts[:]
	return &c.Column
}

// NewTimeZone returns a zone with all changes of its offset that statements contain; nil for UTC.
func NewTimeZone(zone *timezone.Zone) *TimeZone {
	if zone == nil {
		return nil
	}
	out := &TimeZone{Name: zone.Name()}
	offset, changes := zone.OffsetChanges(time.Time{}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))
	out.Offset = offset
	for _, c := range changes {
		out.Changes = append(out.Changes, ZoneOffsetChange{At: c.At, Offset: c.Offset})
	}
	return out
}
