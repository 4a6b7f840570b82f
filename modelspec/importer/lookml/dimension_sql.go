package lookml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// referencePattern is ${name} in a text of SQL.
var referencePattern = regexp.MustCompile(`\$\{\s*([A-Za-z_][\w.]*)\s*\}`)

// dollarTableDotPattern is the begin of a reference to a column of the view's table.
var dollarTableDotPattern = regexp.MustCompile(`\$\{\s*TABLE\s*\}\s*\.\s*`)

// maxExpandedSQLBytes is the length of an expression with its references written out.
const maxExpandedSQLBytes = 1 << 16

// dimensionSQL returns the SQL of a dimension over columns alone.
func (v *view) dimensionSQL(d *dimension) (string, error) {
	switch {
	case d.refused != "":
		return "", errors.New(d.refused)
	case d.written != "":
		return d.written, nil
	case d.open:
		return "", fmt.Errorf("the dimension %s refers to itself", d.name)
	}
	d.open = true
	defer func() { d.open = false }()
	sql, loss := resolveDoubleQuotedParts(d.sql, v.hasBackticks, v.project.options.Dialect)
	d.keepFirstLoss(loss)
	text, err := v.replaceReferences(sql, func(name string) (string, error) {
		inner, loss, err := v.referencedDimensionSQL(name)
		d.keepFirstLoss(loss)
		return "(" + inner + ")", err
	})
	if err != nil {
		return "", err
	}
	d.written = text
	return text, nil
}

// keepFirstLoss records what of a dimension is different, unless something is already.
func (d *dimension) keepFirstLoss(loss string) {
	if d.approximated == "" {
		d.approximated = loss
	}
}

// replaceReferences replaces the references of a text.
func (v *view) replaceReferences(text string, of func(name string) (string, error)) (string, error) {
	if err := checkNoTemplates("it has", text); err != nil {
		return "", err
	}
	text = dollarTableDotPattern.ReplaceAllString(importer.BacktickNamesToDoubleQuotes(text), "")
	var failed error
	out := referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		name := referencePattern.FindStringSubmatch(match)[1]
		name = strings.TrimPrefix(name, v.name+".")
		value, err := "", error(nil)
		if failed == nil {
			value, err = of(name)
		}
		if err != nil && failed == nil {
			failed = err
		}
		return value
	})
	switch {
	case failed != nil:
		return "", failed
	case strings.Contains(out, "${"):
		return "", errors.New("it has a reference that cannot be read")
	case len(out) > maxExpandedSQLBytes:
		return "", fmt.Errorf("with its references written out it has more than %d bytes", maxExpandedSQLBytes)
	}
	return strings.TrimSpace(out), nil
}

// referencedDimensionSQL returns the SQL of what a reference names: a dimension, or a timeframe of a group of times. loss is what of it
// differs from Looker.
func (v *view) referencedDimensionSQL(name string) (sql, loss string, err error) {
	if alias, field, joined := strings.Cut(name, "."); joined {
		return v.joinedDimensionSQL(alias, field)
	}
	d, frame := v.findDimension(name)
	if d == nil {
		return "", "", fmt.Errorf("%s is not a dimension of the view", name)
	}
	inner, err := v.dimensionSQL(d)
	if err != nil {
		return "", "", fmt.Errorf("it refers to %s: %w", name, err)
	}
	if sql = timeframeSQL(d, frame, inner); sql == "" {
		err = fmt.Errorf("it refers to %s, and the timeframe %s has no expression here", name, frame)
	}
	return sql, d.approximated, err
}

// dimensionOfReference returns the dimension that a reference names, or of which it names a timeframe; nil where the view has none.
func (v *view) dimensionOfReference(name string) *dimension {
	if v == nil {
		return nil
	}
	d, _ := v.findDimension(name)
	return d
}

// findDimension finds a dimension by the name of a reference. That of a group of times ends in a timeframe.
func (v *view) findDimension(name string) (d *dimension, timeframe string) {
	if d := v.dimensions[name]; d != nil && !d.isGroup {
		return d, ""
	}
	for i := range len(name) {
		if d := v.dimensions[name[:i]]; d != nil && d.isGroup && name[i] == '_' {
			return d, name[i+1:]
		}
	}
	return nil, ""
}

// casesAsSQL returns the CASE of a dimension with cases.
func casesAsSQL(b *block) (string, error) {
	var out strings.Builder
	out.WriteString("CASE")
	for _, item := range b.items {
		switch {
		case item.key == "when" && item.braces && item.findLastItem("sql") != nil && item.findLastItem("label") != nil:
			out.WriteString(" WHEN " + item.valueOfKey("sql") + " THEN " + quoteStringLiteral(item.valueOfKey("label")))
		case item.key == "else":
			out.WriteString(" ELSE " + quoteStringLiteral(item.node.Text))
		default:
			return "", errors.New("a part of its case cannot be read")
		}
	}
	return out.String() + " END", nil
}

func quoteStringLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
