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

// outcome is the result of a figure or a promise. The worst of several counts.
type outcome int

const (
	outcomeWithoutTarget outcome = iota // there is no aim
	outcomeHeld                         // what was aimed for
	outcomeMissed                       // measured, and not what was aimed for
	outcomeFailed                       // not measured, or the test itself fails
)

// promiseResult is a promise beside its result.
type promiseResult struct {
	promise
	promiseRun
	outcome outcome
	why     string // of a failure
	rows    []measuredSubjectRow
}

// measuredSubjectRow is what was measured of one subject.
type measuredSubjectRow struct {
	name  string
	cells []figureCell // as figures of the promise
}

// figureCell is one figure of one row.
type figureCell struct {
	text    string // "" when the row has no such figure
	unit    string
	value   float64
	aim     *figureTarget
	bound   float64 // of the aim
	outcome outcome
	excess  float64 // by how much the aim is missed, as a part of it; negative below it
}

// benchmarkNameReplacer are names of benchmarks in words of the page.
var benchmarkNameReplacer = strings.NewReplacer("anew", "new", "/again", "/repeated", ", again", ", repeated")

// newPromiseResult never drops a promise: without a result or a figure it has failed.
func newPromiseResult(x promise, r promiseRun) promiseResult {
	v := promiseResult{promise: x, promiseRun: r}
	if r.Command == "" {
		v.setFailed("not measured yet")
		return v
	}
	if r.Failure != "" {
		v.setFailed(r.Failure)
	}
	names, values := groupValuesByRow(x, r.Events)
	for _, name := range names {
		line := measuredSubjectRow{name: benchmarkNameReplacer.Replace(name)}
		for _, f := range x.figures {
			c := f.judgeFigureOfRow(name, values[name][f.key], r.Short)
			if c.outcome == outcomeFailed {
				v.setFailed(fmt.Sprintf("%s is not a number: %q", f.name, c.text))
			}
			v.outcome = worseOutcome(v.outcome, c.outcome)
			line.cells = append(line.cells, c)
		}
		v.rows = append(v.rows, line)
	}
	for i, f := range x.figures {
		if !slices.ContainsFunc(v.rows, func(l measuredSubjectRow) bool { return l.cells[i].text != "" }) {
			v.setFailed("no figure: " + f.name)
		}
	}
	return v
}

func (v *promiseResult) setFailed(why string) {
	v.outcome = outcomeFailed
	if v.why == "" {
		v.why = why
	}
}

func worseOutcome(a, b outcome) outcome { return outcome(math.Max(float64(a), float64(b))) }

// groupValuesByRow groups values by row, rows in the order of their first value.
func groupValuesByRow(x promise, events []reportedValue) (names []string, values map[string]map[string][]string) {
	pattern := regexp.MustCompile(x.rows)
	values = map[string]map[string][]string{}
	for _, e := range events {
		groups := pattern.FindStringSubmatch(e.Test)
		if groups == nil {
			continue
		}
		name := strings.ReplaceAll(strings.Join(slices.DeleteFunc(groups[1:], func(s string) bool { return s == "" }), ", "), "_", " ")
		if x.spellTestNames {
			name = splitCamelCase(name)
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

// splitCamelCase turns ThisSQLIsTheSame into "this SQL is the same".
func splitCamelCase(name string) string {
	words := strings.Fields(camelCaseBoundary.ReplaceAllString(camelCaseBoundary.ReplaceAllString(name, "$1$3 $2$4"), "$1$3 $2$4"))
	for i, w := range words {
		if len(w) == 1 || w != strings.ToUpper(w) {
			words[i] = strings.ToLower(w)
		}
	}
	return strings.Join(words, " ")
}

func (f figureDefinition) judgeFigureOfRow(row string, values []string, short bool) figureCell {
	if len(values) == 0 {
		return figureCell{}
	}
	if f.of == aggregationVerbatim {
		return figureCell{text: strings.Join(slices.Compact(values), ", ")}
	}
	n, err := f.aggregateValuesOfRow(values)
	if err != nil {
		return figureCell{text: strings.Join(values, ", "), outcome: outcomeFailed}
	}
	c := figureCell{text: formatNumber(n), unit: f.unit, value: n}
	if f.unit != "" {
		c.text += " " + f.unit
	}
	for _, a := range f.aims {
		if a.appliesToRow(row) {
			c.compareWithTarget(a, short)
			break
		}
	}
	return c
}

func (f figureDefinition) aggregateValuesOfRow(values []string) (float64, error) {
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
	case aggregationSmallest:
		return all[0], nil
	case aggregationMedian:
		return all[len(all)/2], nil
	case aggregationSum:
		total := 0.0
		for _, n := range all {
			total += n
		}
		return total, nil
	default:
		return all[len(all)-1], nil
	}
}

func (c *figureCell) compareWithTarget(a figureTarget, short bool) {
	c.aim, c.bound, c.outcome = &a, a.boundOfShortOrFullRun(short), outcomeHeld
	off := c.value - c.bound
	switch a.is {
	case targetAtLeast:
		off = -off
	case targetExactly:
		off = math.Abs(off)
	}
	if off > 0 {
		c.outcome = outcomeMissed
	}
	c.excess = off
	if c.bound != 0 {
		c.excess = off / math.Abs(c.bound)
	}
}

// distanceFromTargetText returns the distance to the aim, "" for a held one.
func (c figureCell) distanceFromTargetText() string {
	switch {
	case c.outcome != outcomeMissed:
		return ""
	case c.bound == 0 || c.aim.is == targetExactly:
		return "missed by " + formatNumber(math.Abs(c.value-c.bound))
	case c.aim.is == targetAtMost && c.value >= 2*c.bound && c.bound > 0:
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
		return separateThousands(strconv.FormatFloat(n, 'f', 0, 64))
	case size >= 10:
		return strconv.FormatFloat(n, 'f', 1, 64)
	case size >= 0.1:
		return strconv.FormatFloat(n, 'f', 2, 64)
	}
	return strconv.FormatFloat(n, 'g', 2, 64)
}

func separateThousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}
