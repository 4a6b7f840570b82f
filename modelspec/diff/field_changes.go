package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *comparison) compareField(before, after *catalog.Field) {
	o := object{c, ObjectField, keyOf(ObjectField, after.Qualified()), after.Qualified(), inNew(c.new.places.field(after))}
	o.text(same(Changed), NameOf, before.Name, after.Name) // the column of a result is named so
	o.dialectErrors(before.ErrByDialect, after.ErrByDialect)
	if o.compileError(before.Err, after.Err) {
		c.compareFieldMeaning(o, before, after)
	}
	o.datatype(before.Datatype, after.Datatype, before.Type, after.Type)
	o.text(same(Changed), TimeFormat, timeFormat(before), timeFormat(after))
	grainsBefore, grainsAfter := grainNames(before), grainNames(after)
	o.text(classes{
		lossOf(grainsBefore, grainsAfter, Changed), lossOf(grainsAfter, grainsBefore, Changed),
	}, Grains, strings.Join(grainsBefore, ", "), strings.Join(grainsAfter, ", "))
	o.text(same(Changed), IsTime, yes(before.IsTime), yes(after.IsTime))
	c.compareRole(o, before, after)
	o.text(same(Compatible), Label, before.Label, after.Label)
	o.documentation(before.Description, after.Description, before.AIContext, after.AIContext)
}

// compareFieldMeaning compares how two fields that compile are computed.
func (c *comparison) compareFieldMeaning(o object, before, after *catalog.Field) {
	if before.LOD != nil || after.LOD != nil {
		c.compareLOD(o, before, after)
		return
	}
	dialect, differ := differing(before.Expr, after.Expr, c.equalExpr)
	if !differ {
		return
	}
	x := o.put(same(Changed), Expression,
		onDialect(dialect, c.old.spelled(before.Expr.For(dialect))), onDialect(dialect, c.new.spelled(after.Expr.For(dialect))))
	if sameText(c.old.places.fieldExpression(before), c.new.places.fieldExpression(after)) {
		x.follows = consequence{keys: c.fieldsNamedIn(before, after), of: []What{Expression, LevelOfDetail, Added, Removed}}
	}
}

func (c *comparison) equalExpr(a, b sqlexpr.Expr) bool {
	return equalMeaning(c.old.shared(a), c.new.shared(b))
}

func (c *comparison) equalForm(a, b *catalog.Form) bool {
	return equalMeaning(c.old.sharedForm(a), c.new.sharedForm(b))
}

// sqlEqual compares fields by the columns that they read.
func sqlEqual(a, b *catalog.Field) bool {
	_, differ := differing(a.Expr, b.Expr, equalMeaning)
	return !differ
}

// sameField reports whether a field is another one under a new name.
func (c *comparison) sameField(before, after *catalog.Field) bool {
	if before.Err != nil || after.Err != nil || before.LOD != nil || after.LOD != nil || before.Type != after.Type {
		return false
	}
	_, differ := differing(before.Expr, after.Expr, c.equalExpr)
	return !differ
}

func (c *comparison) compareLOD(o object, before, after *catalog.Field) {
	a, b := before.LOD, after.LOD
	o.named(same(Changed), LevelOfDetail, grainOf(a), grainOf(b))
	c.compareParams(o.name, o.at, paramsOfLOD(a), paramsOfLOD(b))
	if a == nil || b == nil {
		return
	}
	if dialect, differ := differing(a.Measures, b.Measures, c.equalForm); differ {
		o.put(same(Changed), Expression,
			onDialect(dialect, c.old.spelledForm(a.Measures.For(dialect))), onDialect(dialect, c.new.spelledForm(b.Measures.For(dialect))))
	}
	if !c.equalExpr(a.Where, b.Where) {
		o.put(same(Changed), Filter, c.old.spelled(a.Where), c.new.spelled(b.Where))
	}
}

func paramsOfLOD(l *catalog.LOD) []*catalog.Param {
	if l == nil {
		return nil
	}
	return l.Params
}

func grainOf(l *catalog.LOD) func(*side) string {
	return func(s *side) string { return s.grainOfLOD(l) }
}

// grainOfLOD is the grain of a level of detail with the path that it declares.
func (s *side) grainOfLOD(l *catalog.LOD) string {
	if l == nil {
		return ""
	}
	var keys []string
	for _, f := range l.Grain {
		keys = append(keys, s.field(f))
	}
	slices.Sort(keys)
	text := "by " + strings.Join(keys, ", ")
	if len(l.Via) > 0 {
		text += " via " + s.path(l.Via)
	}
	return text
}

// compareRole compares whether a field can be grouped by and, where it can, whether lists
// offer it.
func (c *comparison) compareRole(o object, before, after *catalog.Field) {
	can, could := groupable(after), groupable(before)
	o.text(loss(could && !can, Compatible), Groupable, yes(could), yes(can))
	if can && could {
		offeredBefore, _ := before.Role()
		offeredAfter, _ := after.Role()
		o.text(same(Compatible), Offered, yes(offeredBefore), yes(offeredAfter))
	}
}

func groupable(f *catalog.Field) bool { return f.IsDimension == nil || *f.IsDimension }

func yes(b bool) string { return strconv.FormatBool(b) }

func timeFormat(f *catalog.Field) string {
	if f.Encoding == nil {
		return ""
	}
	return f.Encoding.Text
}

func grainNames(f *catalog.Field) []string {
	var out []string
	for _, g := range f.Grains() {
		out = append(out, g.String())
	}
	return out
}

// lossOf is breaking where an element of before is gone, else the class of a gain.
func lossOf(before, after []string, gain Class) Class {
	if containsAll(after, before) {
		return gain
	}
	return Breaking
}

// datatype compares declared types. A declaration that repeats the type of the expression
// changes nothing.
func (o object) datatype(before, after string, typeBefore, typeAfter sqlexpr.Type) {
	switch {
	case before == "" && after == "", (before == "" || after == "") && typeBefore == typeAfter:
		return
	case before == "":
		o.text(classes{Changed, Breaking}, Datatype, before, after)
	case after == "":
		o.text(classes{Breaking, Changed}, Datatype, before, after)
	default:
		o.text(same(Breaking), Datatype, before, after)
	}
}

// sameText reports whether two expressions are written alike.
func sameText(a, b *modelspec.Expression) bool {
	return a != nil && b != nil && slices.EqualFunc(a.Entries, b.Entries, func(x, y *modelspec.DialectEntry) bool {
		return x.Dialect.Value == y.Dialect.Value && x.Expression.Value == y.Expression.Value
	})
}

// fieldsNamedIn lists the fields of the dataset that the text of a field names on either
// side.
func (c *comparison) fieldsNamedIn(before, after *catalog.Field) []key {
	var out []key
	for _, entry := range c.new.places.fieldExpression(after).Entries {
		e, err := sqlexpr.Parse(entry.Expression.Value)
		if err != nil {
			continue
		}
		sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
			column, ok := x.(*sqlexpr.Column)
			if !ok {
				return true
			}
			name := column.Path[len(column.Path)-1].Text
			for _, d := range []*catalog.Dataset{before.Dataset, after.Dataset} {
				if f := d.Field(name); f != nil && f != before && f != after {
					out = append(out, keyOf(ObjectField, f.Qualified()))
				}
			}
			return true
		})
	}
	return out
}
