package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// resultsPage is one page of figures with its file of results.
type resultsPage struct {
	name     string // of the files in docs
	title    string
	intro    string
	strict   bool // an aim that is missed makes the run fail
	sections []pageSection
}

type pageSection struct {
	title    string
	promises []promise
}

func (p resultsPage) filePath(root, extension string) string {
	return filepath.Join(root, "docs", p.name+"."+extension)
}

func (p resultsPage) promises() []promise {
	var out []promise
	for _, s := range p.sections {
		out = append(out, s.promises...)
	}
	return out
}

// promise is a sentence and how it is held.
type promise struct {
	name     string // of its results, and for -only
	sentence string
	method   string // what is measured and how, in Markdown
	run      measurementCommand
	// from is a file of docs that another tool writes with its figures, instead of run.
	from string
	// rows is matched with the names of tests and benchmarks. Its groups, joined, name
	// the row of the table that a figure belongs to; without groups there is one row.
	// What does not match gives no figure.
	rows           string
	rowHeader      string // what the rows are
	spellTestNames bool   // rows are named by test functions, whose words are to be read
	figures        []figureDefinition
	interpretation string // what to make of the figures
}

// figureDefinition is one value of each row.
type figureDefinition struct {
	name string
	key  string // the attribute of the test, or the unit of the benchmark
	unit string // shown after the value
	// scale takes what is reported to unit; 0 is 1.
	scale float64
	of    aggregation
	aims  []figureTarget
}

// aggregation combines several values of one row: of several runs, or of
// several tests.
type aggregation int

const (
	aggregationLargest  aggregation = iota // the largest
	aggregationSmallest                    // the smallest
	aggregationSum                         // all together
	aggregationMedian                      // the median
	aggregationVerbatim                    // no number: shown as it is, not judged
)

// figureTarget is what a figure has to be.
type figureTarget struct {
	is    targetRelation
	bound float64
	// short is the bound of the short form, where that is another.
	short *float64
	// row restricts the aim to rows whose names contain it.
	row string
}

type targetRelation int

const (
	targetAtMost targetRelation = iota
	targetAtLeast
	targetExactly
)

func (r targetRelation) String() string {
	return [...]string{"at most", "at least", "exactly"}[r]
}

func atMostTarget(bound float64) []figureTarget {
	return []figureTarget{{is: targetAtMost, bound: bound}}
}
func atLeastTarget(bound float64) []figureTarget {
	return []figureTarget{{is: targetAtLeast, bound: bound}}
}
func exactTarget(bound float64) []figureTarget {
	return []figureTarget{{is: targetExactly, bound: bound}}
}

// withShortFormBound returns the bound that a short form is held to.
func withShortFormBound(aims []figureTarget, bound float64) []figureTarget {
	out := slices.Clone(aims)
	for i := range out {
		out[i].short = &bound
	}
	return out
}

func (a figureTarget) boundOfShortOrFullRun(short bool) float64 {
	if short && a.short != nil {
		return *a.short
	}
	return a.bound
}

func (a figureTarget) appliesToRow(row string) bool { return strings.Contains(row, a.row) }
