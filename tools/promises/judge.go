package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// outcome is what became of a figure or a promise; of several the worst counts.
type outcome int

const (
	informational outcome = iota // there is no aim
	held                         // what was aimed for
	missed                       // measured, and not what was aimed for
	failed                       // not measured, or the test itself fails
)

// verdict is a promise beside its result.
type verdict struct {
	promise
	result
	outcome outcome
	why     string // of a failure
	rows    []row
}

// row is what was measured of one subject.
type row struct {
	name  string
	cells []cell // as figures of the promise
}

// cell is one figure of one row.
type cell struct {
	text    string // "" when the row has no such figure
	unit    string
	value   float64
	aim     *aim
	bound   float64 // of the aim
	outcome outcome
	excess  float64 // by how much the aim is missed, as a part of it; negative below it
}

// benchmarkWords are names of benchmarks in words of the page.
var benchmarkWords = strings.NewReplacer("anew", "new", "/again", "/repeated", ", again", ", repeated")

// newVerdict never drops a promise: without a result or a figure it has failed.
func newVerdict(x promise, r result) verdict {
	v := verdict{promise: x, result: r}
	if r.Command == "" {
		v.fail("not measured yet")
		return v
	}
	if r.Failure != "" {
		v.fail(r.Failure)
	}
	names, values := table(x, r.Events)
	for _, name := range names {
		line := row{name: benchmarkWords.Replace(name)}
		for _, f := range x.figures {
			c := f.judge(name, values[name][f.key], r.Short)
			if c.outcome == failed {
				v.fail(fmt.Sprintf("%s is not a number: %q", f.name, c.text))
			}
			v.outcome = maxOf(v.outcome, c.outcome)
			line.cells = append(line.cells, c)
		}
		v.rows = append(v.rows, line)
	}
	for i, f := range x.figures {
		if !slices.ContainsFunc(v.rows, func(l row) bool { return l.cells[i].text != "" }) {
			v.fail("no figure: " + f.name)
		}
	}
	return v
}

func (v *verdict) fail(why string) {
	v.outcome = failed
	if v.why == "" {
		v.why = why
	}
}

func maxOf(a, b outcome) outcome { return outcome(math.Max(float64(a), float64(b))) }

// table groups values by row, rows in the order of their first value.
func table(x promise, events []event) (names []string, values map[string]map[string][]string) {
	pattern := regexp.MustCompile(x.rows)
	values = map[string]map[string][]string{}
	for _, e := range events {
		groups := pattern.FindStringSubmatch(e.Test)
		if groups == nil {
			continue
		}
		name := strings.ReplaceAll(strings.Join(slices.DeleteFunc(groups[1:], func(s string) bool { return s == "" }), ", "), "_", " ")
		if x.spellTestNames {
			name = splitWords(name)
		}
		if values[name] == nil {
			values[name] = map[string][]string{}
			names = append(names, name)
		}
		values[name][e.Key] = append(values[name][e.Key], e.Value)
	}
	return names, values
}

var camelCaseBoundary = regexp.MustCompile(`([a-z])([A-Z])|([A-Z])([A-Z][a-z])`)

// splitWords turns ThisSQLIsTheSame into "this SQL is the same".
func splitWords(name string) string {
	words := strings.Fields(camelCaseBoundary.ReplaceAllString(camelCaseBoundary.ReplaceAllString(name, "$1$3 $2$4"), "$1$3 $2$4"))
	for i, w := range words {
		if len(w) == 1 || w != strings.ToUpper(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

func (f figure) judge(row string, values []string, short bool) cell {
	if len(values) == 0 {
		return cell{}
	}
	if f.of == verbatim {
		return cell{text: strings.Join(slices.Compact(values), ", ")}
	}
	n, err := f.gather(values)
	if err != nil {
		return cell{text: strings.Join(values, ", "), outcome: failed}
	}
	c := cell{text: formatNumber(n), unit: f.unit, value: n}
	if f.unit != "" {
		c.text += " " + f.unit
	}
	for _, a := range f.aims {
		if a.appliesTo(row) {
			c.judge(a, short)
			break
		}
	}
	return c
}

func (f figure) gather(values []string) (float64, error) {
	var all []float64
	for _, text := range values {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, err
		}
		all = append(all, n*cmp.Or(f.scale, 1))
	}
	slices.Sort(all)
	switch f.of {
	case smallestOfValues:
		return all[0], nil
	case median:
		return all[len(all)/2], nil
	case sumOfValues:
		total := 0.0
		for _, n := range all {
			total += n
		}
		return total, nil
	default:
		return all[len(all)-1], nil
	}
}

func (c *cell) judge(a aim, short bool) {
	c.aim, c.bound, c.outcome = &a, a.boundOf(short), held
	off := c.value - c.bound
	switch a.is {
	case atLeast:
		off = -off
	case exactly:
		off = math.Abs(off)
	}
	if off > 0 {
		c.outcome = missed
	}
	c.excess = off
	if c.bound != 0 {
		c.excess = off / math.Abs(c.bound)
	}
}

// miss is the distance to the aim, "" for a held one.
func (c cell) miss() string {
	switch {
	case c.outcome != missed:
		return ""
	case c.bound == 0 || c.aim.is == exactly:
		return "missed by " + formatNumber(math.Abs(c.value-c.bound))
	case c.aim.is == atMost && c.value >= 2*c.bound && c.bound > 0:
		return fmt.Sprintf("missed: %s times the target", formatNumber(c.value/c.bound))
	case c.excess < 0.01:
		return "missed by less than 1 %"
	}
	return fmt.Sprintf("missed by %.0f %%", c.excess*100)
}

// formatNumber writes a value with its significant digits.
func formatNumber(n float64) string {
	size := math.Abs(n)
	switch {
	case size < 1e-12: // and no minus before it
		return "0"
	case n == math.Trunc(n) || size >= 100:
		return thousands(strconv.FormatFloat(n, 'f', 0, 64))
	case size >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	case size >= 0.1:
		return strconv.FormatFloat(n, 'f', 2, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}

func thousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}
