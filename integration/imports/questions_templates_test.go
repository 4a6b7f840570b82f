package imports_test

import (
	"fmt"
	"strings"
	"time"
)

// templateFunction makes the SQL of a call in a template.
type templateFunction func(args []string, named map[string]string) (string, error)

// renderTemplate replaces the templates of a text, {{ … }}.
func renderTemplate(text string, functions map[string]templateFunction) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		p := &templateParser{text: rest, functions: functions}
		value, err := p.parseValue()
		if err != nil {
			return "", err
		}
		p.skip()
		if !strings.HasPrefix(p.text, "}}") {
			return "", fmt.Errorf("the template ends before %q", p.text[:min(len(p.text), 40)])
		}
		b.WriteString(value)
		text = p.text[2:]
	}
}

// templateParser evaluates the expression of a template: calls of functions, texts, numbers, lists and names.
type templateParser struct {
	text      string
	functions map[string]templateFunction
}

func (p *templateParser) skip() { p.text = strings.TrimLeft(p.text, " \t\r\n") }

func (p *templateParser) accept(token string) bool {
	p.skip()
	if rest, ok := strings.CutPrefix(p.text, token); ok {
		p.text = rest
		return true
	}
	return false
}

func (p *templateParser) parseValue() (string, error) {
	p.skip()
	switch {
	case p.text == "":
		return "", fmt.Errorf("a template has no end")
	case p.text[0] == '\'' || p.text[0] == '"':
		value, rest, ok := strings.Cut(p.text[1:], p.text[:1])
		if !ok {
			return "", fmt.Errorf("a text has no end")
		}
		p.text = rest
		return value, nil
	case p.accept("["):
		items, _, err := p.parseList("]")
		return strings.Join(items, ","), err
	}
	end := strings.IndexFunc(p.text, func(r rune) bool {
		return r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if end <= 0 {
		return "", fmt.Errorf("a template has %q", p.text[:min(len(p.text), 40)])
	}
	name := p.text[:end]
	p.text = p.text[end:]
	function := p.functions[name]
	if p.accept("(") {
		args, named, err := p.parseList(")")
		if err != nil {
			return "", err
		}
		if function == nil {
			return "", fmt.Errorf("the template calls %s, which is not known", name)
		}
		return function(args, named)
	}
	if function != nil {
		return function(nil, nil)
	}
	return name, nil
}

func (p *templateParser) parseList(end string) (args []string, named map[string]string, err error) {
	named = map[string]string{}
	for !p.accept(end) {
		before := p.text
		p.skip()
		name, rest, assigned := strings.Cut(p.text, "=")
		if assigned && isWord(name) {
			p.text = rest
			if named[name], err = p.parseValue(); err != nil {
				return nil, nil, err
			}
		} else {
			value, err := p.parseValue()
			if err != nil {
				return nil, nil, err
			}
			args = append(args, value)
		}
		p.accept(",")
		if p.text == before {
			return nil, nil, fmt.Errorf("a list has %q", before[:min(len(before), 40)])
		}
	}
	return args, named, nil
}

func isWord(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) < 0
}

// grainName returns the grain of TimeGranularity.WEEK.
func grainName(text string) string {
	return strings.ToLower(text[strings.LastIndexByte(text, '.')+1:])
}

// checkFunctions print the SQL that checks the rows, for DuckDB.
var checkFunctions = map[string]templateFunction{
	"source_schema":                  constantSQL(sourceSchema),
	"mf_time_spine_source":           constantSQL(sourceSchema + ".mf_time_spine"),
	"double_data_type_name":          constantSQL("DOUBLE"),
	"generate_random_uuid":           constantSQL("GEN_RANDOM_UUID()"),
	"render_date_trunc":              formatSQL("DATE_TRUNC('%[2]s', CAST(%[1]s AS TIMESTAMP))"),
	"render_extract":                 extractSQL,
	"render_date_sub":                formatSQL("%[1]s.%[2]s - INTERVAL %[3]s %[4]s"),
	"render_date_add":                formatSQL("%[1]s + CAST(%[2]s AS INTEGER) * INTERVAL 1 %[3]s"),
	"render_percentile_expr":         percentileSQL,
	"render_time_constraint":         constraintSQL("CAST(%s AS TIMESTAMP)", "TIMESTAMP '%s'"),
	"cast_to_ts":                     formatSQL("TIMESTAMP '%[1]s'"),
	"render_between_time_constraint": constraintSQL("CAST(%s AS TIMESTAMP)", "TIMESTAMP '%s'"),
}

func constantSQL(text string) templateFunction {
	return func([]string, map[string]string) (string, error) { return text, nil }
}

func formatSQL(format string) templateFunction {
	return func(args []string, _ map[string]string) (string, error) {
		values := make([]any, len(args))
		for i, arg := range args {
			if strings.HasPrefix(arg, "TimeGranularity.") {
				arg = grainName(arg)
			}
			values[i] = arg
		}
		return fmt.Sprintf(format, values...), nil
	}
}

func extractSQL(args []string, _ map[string]string) (string, error) {
	part := grainName(args[1])
	if part == "dow" {
		part = "isodow"
	}
	return "EXTRACT(" + part + " FROM CAST(" + args[0] + " AS TIMESTAMP))", nil
}

func percentileSQL(args []string, _ map[string]string) (string, error) {
	switch {
	case args[3] == "True":
		return "APPROX_QUANTILE(" + args[0] + ", " + args[1] + ")", nil
	case args[2] == "True":
		return "PERCENTILE_DISC(" + args[1] + ") WITHIN GROUP (ORDER BY " + args[0] + ")", nil
	}
	return "PERCENTILE_CONT(" + args[1] + ") WITHIN GROUP (ORDER BY " + args[0] + ")", nil
}

// constraintSQL prints a range whose end is inclusive: to the end of its day, or of its second.
func constraintSQL(value, literal string) templateFunction {
	return func(args []string, named map[string]string) (string, error) {
		start, stop := named["start_time"], named["stop_time"]
		if len(args) > 1 {
			start = args[1]
		}
		if len(args) > 2 {
			stop = args[2]
		}
		expr := fmt.Sprintf(value, args[0])
		var parts []string
		if start != "" {
			parts = append(parts, expr+" >= "+fmt.Sprintf(literal, start))
		}
		if stop != "" {
			next, err := nextMoment(stop)
			if err != nil {
				return "", err
			}
			parts = append(parts, expr+" < "+fmt.Sprintf(literal, next))
		}
		return strings.Join(parts, " AND "), nil
	}
}

// nextMoment returns the day after a day, and the second after a second.
func nextMoment(text string) (string, error) {
	if len(text) == 10 {
		day, err := time.Parse(time.DateOnly, text)
		return day.AddDate(0, 0, 1).Format(time.DateOnly), err
	}
	parsed, err := time.Parse(time.DateTime, text)
	return parsed.Add(time.Second).Format(time.DateTime), err
}
