package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *modelComparison) compareField(before, after *catalog.Field) {
	o := comparedObject{c, ObjectField, newObjectKey(ObjectField, after.QualifiedName()), after.QualifiedName(), asNewModelPlace(c.new.declarations.fieldPlace(after))}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyName, before.Name, after.Name) // the column of a result is named so
	o.compareDialectErrors(before.ErrByDialect, after.ErrByDialect)
	if o.compareCompileErrors(before.Err, after.Err) {
		c.compareFieldComputation(o, before, after)
	}
	o.compareDatatypes(before.Datatype, after.Datatype, before.Type, after.Type)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyTimeFormat, timeFormatText(before), timeFormatText(after))
	grainsBefore, grainsAfter := grainNames(before), grainNames(after)
	o.addChangeIfTextDiffers(classOfChangeAndReverse{
		classOfListChange(grainsBefore, grainsAfter, ClassChanged), classOfListChange(grainsAfter, grainsBefore, ClassChanged),
	}, PropertyGrains, strings.Join(grainsBefore, ", "), strings.Join(grainsAfter, ", "))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyIsTime, boolText(before.IsTime), boolText(after.IsTime))
	c.compareGroupability(o, before, after)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyLabel, before.Label, after.Label)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyOrder, strings.Join(before.Order, ", "), strings.Join(after.Order, ", "))
	o.compareDocumentation(before.Description, after.Description, before.AIContext, after.AIContext)
}

// compareFieldComputation compares how two fields that compile are computed.
func (c *modelComparison) compareFieldComputation(o comparedObject, before, after *catalog.Field) {
	if before.LOD != nil || after.LOD != nil {
		c.compareLOD(o, before, after)
		return
	}
	dialect, differ := firstDifferingDialect(before.Expr, after.Expr, c.isExprEqualDespiteRenames)
	if !differ {
		return
	}
	x := o.addPropertyChange(expressionChangeClasses(before.Expr.ForDialect(dialect), after.Expr.ForDialect(dialect)), PropertyExpression,
		prefixWithDialect(dialect, c.old.displayTextOfExpr(before.Expr.ForDialect(dialect))), prefixWithDialect(dialect, c.new.displayTextOfExpr(after.Expr.ForDialect(dialect))))
	if equalExpressionText(c.old.declarations.fieldExpression(before), c.new.declarations.fieldExpression(after)) {
		x.follows = possibleCauses{keys: c.fieldsNamedInText(before, after), of: []Property{PropertyExpression, PropertyLevelOfDetail, PropertyAdded, PropertyRemoved}}
	}
}

// expressionChangeClasses returns the classes of another expression: breaking where a text that every dialect
// can print became one in the spelling of a single dialect.
func expressionChangeClasses(before, after sqlexpr.Expr) classOfChangeAndReverse {
	classes := sameClassBothWays(ClassChanged)
	if sqlexpr.IsNative(before) != sqlexpr.IsNative(after) {
		classes = changeClassesIfRemovedOrGained(sqlexpr.IsNative(after), ClassChanged)
	}
	return classes
}

func (c *modelComparison) isExprEqualDespiteRenames(a, b sqlexpr.Expr) bool {
	return equivalentExprs(c.old.exprWithNamesBeforeRenames(a), c.new.exprWithNamesBeforeRenames(b))
}

func (c *modelComparison) isFormEqualDespiteRenames(a, b *catalog.ArithmeticOverOperands) bool {
	return equivalentExprs(c.old.formWithNamesBeforeRenames(a), c.new.formWithNamesBeforeRenames(b))
}

// hasEqualFieldColumns compares fields by the columns that they read.
func hasEqualFieldColumns(a, b *catalog.Field) bool {
	_, differ := firstDifferingDialect(a.Expr, b.Expr, equivalentExprs)
	return !differ
}

// isRenamedField reports whether a field is another one under a new name.
func (c *modelComparison) isRenamedField(before, after *catalog.Field) bool {
	if before.Err != nil || after.Err != nil || before.LOD != nil || after.LOD != nil || before.Type != after.Type {
		return false
	}
	_, differ := firstDifferingDialect(before.Expr, after.Expr, c.isExprEqualDespiteRenames)
	return !differ
}

func (c *modelComparison) compareLOD(o comparedObject, before, after *catalog.Field) {
	a, b := before.LOD, after.LOD
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertyLevelOfDetail, lodGrainPrinter(a), lodGrainPrinter(b))
	c.compareParams(o.name, o.at, paramsOfLOD(a), paramsOfLOD(b))
	if a == nil || b == nil {
		return
	}
	if dialect, differ := firstDifferingDialect(a.Measures, b.Measures, c.isFormEqualDespiteRenames); differ {
		o.addPropertyChange(sameClassBothWays(ClassChanged), PropertyExpression,
			prefixWithDialect(dialect, c.old.arithmeticFormDisplayText(a.Measures.ForDialect(dialect))), prefixWithDialect(dialect, c.new.arithmeticFormDisplayText(b.Measures.ForDialect(dialect))))
	}
	if !c.isExprEqualDespiteRenames(a.Where, b.Where) {
		o.addPropertyChange(sameClassBothWays(ClassChanged), PropertyFilter, c.old.displayTextOfExpr(a.Where), c.new.displayTextOfExpr(b.Where))
	}
}

func paramsOfLOD(l *catalog.LOD) []*catalog.Param {
	if l == nil {
		return nil
	}
	return l.Params
}

func lodGrainPrinter(l *catalog.LOD) func(*comparedModel) string {
	return func(s *comparedModel) string { return s.lodGrainText(l) }
}

// lodGrainText returns the grain of a level of detail with the path that it declares.
func (s *comparedModel) lodGrainText(l *catalog.LOD) string {
	if l == nil {
		return ""
	}
	var keys []string
	for _, f := range l.Grain {
		keys = append(keys, s.fieldName(f))
	}
	slices.Sort(keys)
	text := "by " + strings.Join(keys, ", ")
	if len(l.Via) > 0 {
		text += " via " + s.pathText(l.Via)
	}
	return text
}

// compareGroupability compares whether a field can be grouped by and, where it can, whether lists
// offer it.
func (c *modelComparison) compareGroupability(o comparedObject, before, after *catalog.Field) {
	can, could := isGroupable(after), isGroupable(before)
	o.addChangeIfTextDiffers(changeClassesIfRemovedOrGained(could && !can, ClassCompatible), PropertyGroupable, boolText(could), boolText(can))
	if can && could {
		offeredBefore, _ := before.DimensionRoleAndSource()
		offeredAfter, _ := after.DimensionRoleAndSource()
		o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyListedAsDimension, boolText(offeredBefore), boolText(offeredAfter))
	}
}

func isGroupable(f *catalog.Field) bool { return f.IsDimension == nil || *f.IsDimension }

func boolText(b bool) string { return strconv.FormatBool(b) }

func timeFormatText(f *catalog.Field) string {
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

// classOfListChange is breaking where an element of before is gone, else the class of a gain.
func classOfListChange(before, after []string, gain ChangeClass) ChangeClass {
	if containsAll(after, before) {
		return gain
	}
	return ClassBreaking
}

// compareDatatypes compares declared types. A declaration that repeats the type of the expression
// changes nothing.
func (o comparedObject) compareDatatypes(before, after modelspec.Datatype, typeBefore, typeAfter sqlexpr.Type) {
	switch {
	case before == "" && after == "", (before == "" || after == "") && typeBefore == typeAfter:
		return
	case before == "":
		o.addChangeIfTextDiffers(classOfChangeAndReverse{ClassChanged, ClassBreaking}, PropertyDatatype, before.String(), after.String())
	case after == "":
		o.addChangeIfTextDiffers(classOfChangeAndReverse{ClassBreaking, ClassChanged}, PropertyDatatype, before.String(), after.String())
	default:
		o.addChangeIfTextDiffers(sameClassBothWays(ClassBreaking), PropertyDatatype, before.String(), after.String())
	}
}

// equalExpressionText reports whether two expressions are written alike.
func equalExpressionText(a, b *modelspec.Expression) bool {
	return a != nil && b != nil && slices.EqualFunc(a.Entries, b.Entries, func(x, y *modelspec.DialectEntry) bool {
		return x.Dialect.Value == y.Dialect.Value && x.Expression.Value == y.Expression.Value
	})
}

// fieldsNamedInText lists the fields of the dataset that the text of a field names on either
// side.
func (c *modelComparison) fieldsNamedInText(before, after *catalog.Field) []objectKey {
	var out []objectKey
	for _, entry := range c.new.declarations.fieldExpression(after).Entries {
		e, err := sqlexpr.Parse(entry.Expression.Value)
		if err != nil {
			continue
		}
		for column := range sqlexpr.Nodes[*sqlexpr.Column](e) {
			name := column.Path[len(column.Path)-1].Text
			for _, d := range []*catalog.Dataset{before.Dataset, after.Dataset} {
				if f := d.Field(name); f != nil && f != before && f != after {
					out = append(out, newObjectKey(ObjectField, f.QualifiedName()))
				}
			}
		}
	}
	return out
}
