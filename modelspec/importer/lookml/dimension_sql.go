package lookml

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// referencePattern is ${name} in a text of SQL.
var referencePattern = regexp.MustCompile(`\$\{\s*([A-Za-z_][\w.]*)\s*\}`)

// tableReferencePattern is the begin of a reference to a column of the view's table.
var tableReferencePattern = regexp.MustCompile(`\$\{\s*TABLE\s*\}\s*\.\s*`)

// maxExpandedSQLBytes is the length of an expression with its references written out.
const maxExpandedSQLBytes = 1 << 16

func hasLiquid(text string) bool { return strings.Contains(text, "{%") || strings.Contains(text, "{{") }

// dimensionSQL is the SQL of a dimension over columns alone.
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
	text, err := v.replaceReferences(d.sql, func(name string) (string, error) {
		other := v.findDimension(name)
		if other == nil {
			return "", fmt.Errorf("%s is not a dimension of the view", name)
		}
		inner, err := v.dimensionSQL(other)
		if err != nil {
			return "", fmt.Errorf("it refers to %s: %w", name, err)
		}
		return "(" + inner + ")", nil
	})
	if err != nil {
		return "", err
	}
	d.written = text
	return text, nil
}

// replaceReferences replaces the references of a text.
func (v *view) replaceReferences(text string, of func(name string) (string, error)) (string, error) {
	if hasLiquid(text) {
		return "", errors.New("it has Liquid")
	}
	text = tableReferencePattern.ReplaceAllString(text, "")
	var failed error
	out := referencePattern.ReplaceAllStringFunc(text, func(match string) string {
		name := referencePattern.FindStringSubmatch(match)[1]
		name = strings.TrimPrefix(name, v.name+".")
		value, err := "", error(nil)
		if strings.Contains(name, ".") {
			err = fmt.Errorf("it refers to %s of another view", name)
		} else if failed == nil {
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

// findDimension finds a dimension by the name of a reference. A group of times is found by its
// raw timeframe.
func (v *view) findDimension(name string) *dimension {
	if d := v.dimensions[name]; d != nil && !d.isGroup {
		return d
	}
	if base, ok := strings.CutSuffix(name, "_raw"); ok {
		if d := v.dimensions[base]; d != nil && d.isGroup {
			return d
		}
	}
	return nil
}

// casesAsSQL is the CASE of a dimension with cases.
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

var numberPattern = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// filterConditionSQL is the predicate of one filter of a measure, in the language of filter
// expressions.
func filterConditionSQL(d *dimension, field, value string) (string, error) {
	value = strings.TrimSpace(value)
	refuse := fmt.Errorf("the filter %q of %s has no counterpart", value, d.name)
	switch d.kind {
	case "yesno":
		switch strings.ToLower(value) {
		case "yes", "true":
			return field, nil
		case "no", "false":
			return "NOT COALESCE(" + field + ", FALSE)", nil
		}
	case "number":
		for _, op := range []string{">=", "<=", ">", "<"} {
			if rest, ok := strings.CutPrefix(value, op); ok {
				if rest = strings.TrimSpace(rest); numberPattern.MatchString(rest) {
					return field + " " + op + " " + rest, nil
				}
				return "", refuse
			}
		}
		return inListSQL(field, value, func(item string) (string, bool) { return item, numberPattern.MatchString(item) }, refuse)
	case "string", "zipcode":
		return inListSQL(field, value, func(item string) (string, bool) {
			upper := strings.ToUpper(item)
			plain := item != "" && upper != "NULL" && upper != "EMPTY" && upper != "-NULL" && upper != "-EMPTY" && !strings.ContainsAny(item, `%^"`) && item[0] != '-'
			return quoteStringLiteral(item), plain
		}, refuse)
	}
	return "", refuse
}

func inListSQL(field, value string, item func(string) (string, bool), refuse error) (string, error) {
	var items []string
	for part := range strings.SplitSeq(value, ",") {
		text, ok := item(strings.TrimSpace(part))
		if !ok {
			return "", refuse
		}
		items = append(items, text)
	}
	if len(items) == 1 {
		return field + " = " + items[0], nil
	}
	return field + " IN (" + strings.Join(items, ", ") + ")", nil
}
