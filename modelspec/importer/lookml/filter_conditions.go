package lookml

import (
	"fmt"
	"regexp"
	"strings"
)

var numberPattern = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// filterConditionSQL returns the predicate of one filter of a measure, in the language of filter
// expressions; "" where any value passes. loss is what of it differs from Looker.
func filterConditionSQL(d *dimension, field, value string, ignoresCase bool) (text, loss string, err error) {
	value = strings.TrimSpace(value)
	if err := checkNoTemplates("a filter has", value); err != nil {
		return "", "", err
	}
	var ok bool
	switch {
	case value == "" && d.kind != "time":
		ok = true
	case d.kind == "yesno":
		text, ok = yesNoConditionSQL(field, value)
	case d.kind == "number":
		text, ok = numberConditionSQL(field, value)
	case d.kind == "string" || d.kind == "zipcode":
		text, ok = stringConditionSQL(field, value, ignoresCase)
	case (d.kind == "time" || d.kind == "date" || d.kind == "date_time") && (d.field == nil || d.field.TimeFormat == nil):
		f := newDateFilter(d, field)
		if text, ok = f.conditionSQL(value); f.isRelative {
			loss = relativeFilterLoss
		}
	default:
		text, ok = nullConditionSQL(field, value)
	}
	if !ok {
		return "", "", fmt.Errorf("the filter %q of %s has no counterpart", value, d.name)
	}
	return text, loss, nil
}

// nullConditionSQL returns the predicate of NULL and NOT NULL.
func nullConditionSQL(field, value string) (text string, ok bool) {
	switch strings.ToUpper(value) {
	case "NULL":
		return field + " IS NULL", true
	case "NOT NULL", "-NULL":
		return field + " IS NOT NULL", true
	}
	return "", false
}

func yesNoConditionSQL(field, value string) (text string, ok bool) {
	switch strings.ToLower(value) {
	case "yes", "true":
		return field, true
	case "no", "false":
		return "NOT COALESCE(" + field + ", FALSE)", true
	}
	return "", false
}

// fieldConditions are the conditions on one field: one of them holds, and all of the exclusions. A value that
// is not the excluded one passes, and so does null.
type fieldConditions struct {
	field              string
	values, excluded   []string // of which the field is one, or none
	others, exclusions []string // other predicates
}

func (c *fieldConditions) sql() string {
	either := c.others
	if len(c.values) > 0 {
		either = append([]string{singleOrListComparisonSQL(c.field, "=", "IN", c.values)}, either...)
	}
	var all []string
	switch {
	case len(either) == 1:
		all = either
	case len(either) > 1:
		all = []string{"(" + strings.Join(either, " OR ") + ")"}
	}
	if len(c.excluded) > 0 {
		all = append(all, "("+singleOrListComparisonSQL(c.field, "<>", "NOT IN", c.excluded)+" OR "+c.field+" IS NULL)")
	}
	return strings.Join(append(all, c.exclusions...), " AND ")
}

func singleOrListComparisonSQL(field, one, several string, values []string) string {
	if len(values) == 1 {
		return field + " " + one + " " + values[0]
	}
	return field + " " + several + " (" + strings.Join(values, ", ") + ")"
}

var (
	numberComparisonPattern = regexp.MustCompile(`^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$`)
	notPattern              = regexp.MustCompile(`^(?:<>|!=|(?i:NOT\b))\s*(.+)$`)
	numberRangePattern      = regexp.MustCompile(`^(-?\d+(?:\.\d+)?)?\s*\b(?i:to)\b\s*(-?\d+(?:\.\d+)?)?$`)
	numberIntervalPattern   = regexp.MustCompile(`^([\[(])\s*(-?\d+(?:\.\d+)?|-?(?i:inf))?\s*,\s*(-?\d+(?:\.\d+)?|(?i:inf))?\s*([\])])$`)
	orSeparatorPattern      = regexp.MustCompile(`\s+(?i:OR)\s+`)
	andSeparatorPattern     = regexp.MustCompile(`\s+(?i:AND)\s+`)
)

// numberConditionSQL returns the predicate of a filter of numbers. A NOT before the first of several numbers
// excludes all of them. Values come before what is excluded.
func numberConditionSQL(field, value string) (text string, ok bool) {
	c := &fieldConditions{field: field}
	for i, term := range splitNumberFilterTerms(value) {
		negated, excludes := "", false
		if m := notPattern.FindStringSubmatch(term); m != nil {
			negated, excludes = m[1], true
		}
		isNull := strings.EqualFold(negated, "NULL") || strings.EqualFold(term, "-NULL")
		number := strings.TrimSpace(strings.TrimPrefix(term, "="))
		switch {
		case isNull:
			c.exclusions = append(c.exclusions, field+" IS NOT NULL")
		case excludes && numberPattern.MatchString(negated):
			c.excluded = append(c.excluded, negated)
		case excludes:
			condition, known := numberTermConditionSQL(field, negated)
			if !known {
				return "", false
			}
			c.exclusions = append(c.exclusions, "NOT ("+condition+")")
		case numberPattern.MatchString(term) && len(c.excluded) == i && i > 0:
			c.excluded = append(c.excluded, term)
		case len(c.excluded)+len(c.exclusions) > 0:
			return "", false // the order of the two is not defined
		case numberPattern.MatchString(number):
			c.values = append(c.values, number)
		default:
			condition, known := numberTermConditionSQL(field, term)
			if !known {
				return "", false
			}
			c.others = append(c.others, condition)
		}
	}
	return c.sql(), true
}

// splitNumberFilterTerms splits a filter of numbers at OR and at the commas outside of intervals.
func splitNumberFilterTerms(value string) []string {
	var out []string
	start, open := 0, false
	for i, c := range value {
		switch {
		case c == '[' || c == '(':
			open = true
		case c == ']' || c == ')':
			open = false
		case c == ',' && !open:
			out = append(out, value[start:i])
			start = i + 1
		}
	}
	var terms []string
	for _, part := range append(out, value[start:]) {
		for _, term := range orSeparatorPattern.Split(part, -1) {
			terms = append(terms, strings.TrimSpace(term))
		}
	}
	return terms
}

// numberTermConditionSQL returns the predicate of a comparison, of comparisons joined by AND, of a range and of NULL.
func numberTermConditionSQL(field, term string) (text string, ok bool) {
	if text, ok := nullConditionSQL(field, term); ok {
		return text, true
	}
	if m := numberRangePattern.FindStringSubmatch(term); m != nil {
		switch {
		case m[1] == "":
			return field + " <= " + m[2], m[2] != ""
		case m[2] == "":
			return field + " >= " + m[1], true
		}
		return field + " BETWEEN " + m[1] + " AND " + m[2], true
	}
	if m := numberIntervalPattern.FindStringSubmatch(term); m != nil {
		var parts []string
		if numberPattern.MatchString(m[2]) {
			parts = append(parts, field+" "+map[string]string{"[": ">=", "(": ">"}[m[1]]+" "+m[2])
		}
		if numberPattern.MatchString(m[3]) {
			parts = append(parts, field+" "+map[string]string{"]": "<=", ")": "<"}[m[4]]+" "+m[3])
		}
		return "(" + strings.Join(parts, " AND ") + ")", len(parts) > 0
	}
	var parts []string
	for _, part := range andSeparatorPattern.Split(term, -1) {
		m := numberComparisonPattern.FindStringSubmatch(part)
		if m == nil {
			return "", false
		}
		parts = append(parts, field+" "+m[1]+" "+m[2])
	}
	if len(parts) == 1 {
		return parts[0], true
	}
	return "(" + strings.Join(parts, " AND ") + ")", true
}

// stringConditionSQL returns the predicate of a filter of texts.
func stringConditionSQL(field, value string, ignoresCase bool) (text string, ok bool) {
	c := &fieldConditions{field: field}
	for _, item := range splitTextFilterItems(value) {
		item, excludes := strings.CutPrefix(strings.TrimSpace(item), "-")
		switch item {
		case "NULL", "null":
			c.addConditionOrExclusion(excludes, field+" IS NULL", field+" IS NOT NULL")
			continue
		case "EMPTY", "empty":
			c.addConditionOrExclusion(excludes, "("+field+" IS NULL OR "+field+" = '')", "("+field+" IS NOT NULL AND "+field+" <> '')")
			continue
		}
		pattern, known := readTextFilterPattern(item)
		like := "LIKE"
		if ignoresCase {
			like = "ILIKE"
		}
		literal := quoteStringLiteral(pattern.text)
		switch {
		case !known || (pattern.hasWildcard || ignoresCase) && pattern.hasLiteralMark:
			return "", false
		case pattern.hasWildcard || ignoresCase:
			c.addConditionOrExclusion(excludes, field+" "+like+" "+literal, "("+field+" NOT "+like+" "+literal+" OR "+field+" IS NULL)")
		case excludes:
			c.excluded = append(c.excluded, literal)
		default:
			c.values = append(c.values, literal)
		}
	}
	return c.sql(), true
}

func (c *fieldConditions) addConditionOrExclusion(excludes bool, condition, exclusion string) {
	if excludes {
		c.exclusions = append(c.exclusions, exclusion)
	} else {
		c.others = append(c.others, condition)
	}
}

// textFilterPattern is a text of a filter without its escapes.
type textFilterPattern struct {
	text           string
	hasWildcard    bool // a % or _ that stands for other characters
	hasLiteralMark bool // a %, _ or backslash that stands for itself
}

// splitTextFilterItems splits a filter of texts at the commas that are neither escaped nor between quotes.
func splitTextFilterItems(value string) []string {
	var out []string
	start, quoted, escaped := 0, false, false
	for i, c := range value {
		switch {
		case escaped:
			escaped = false
		case c == '^' && !quoted:
			escaped = true
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			out = append(out, value[start:i])
			start = i + 1
		}
	}
	return append(out, value[start:])
}

// readTextFilterPattern reads one text of a filter, in which ^ takes the meaning from the next character. An empty
// text, and one that every text fits, is not known. Between quotes each character stands for itself.
func readTextFilterPattern(item string) (p textFilterPattern, known bool) {
	if inner, quoted := strings.CutPrefix(item, `"`); quoted {
		p.text, known = strings.CutSuffix(inner, `"`)
		p.hasLiteralMark = strings.ContainsAny(p.text, `%_\`)
		return p, known && p.text != "" && !strings.Contains(p.text, `"`)
	}
	if strings.Trim(item, "%") == "" || strings.Contains(item, `"`) {
		return textFilterPattern{}, false
	}
	var out strings.Builder
	escaped := false
	for _, c := range item {
		switch {
		case c == '^' && !escaped:
			escaped = true
			continue
		case c == '\\' || (c == '%' || c == '_') && escaped:
			p.hasLiteralMark = true
		case c == '%' || c == '_':
			p.hasWildcard = true
		}
		escaped = false
		out.WriteRune(c)
	}
	p.text = out.String()
	return p, !escaped
}
