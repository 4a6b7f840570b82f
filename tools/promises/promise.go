package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// page is one page of figures with its file of results.
type page struct {
	name     string // of the files in docs
	title    string
	intro    string
	strict   bool // an aim that is missed makes the run fail
	sections []section
}

type section struct {
	title    string
	promises []promise
}

func (p page) file(root, extension string) string {
	return filepath.Join(root, "docs", p.name+"."+extension)
}

func (p page) promises() []promise {
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
	run      command
	// from is a file of docs that another tool writes with its figures, instead of run.
	from string
	// rows is matched with the names of tests and benchmarks. Its groups, joined, name
	// the row of the table that a figure belongs to; without groups there is one row.
	// What does not match gives no figure.
	rows           string
	rowHeader      string // what the rows are
	spellTestNames bool   // rows are named by test functions, whose words are to be read
	figures        []figure
	interpretation string // what to make of the figures
}

// figure is one value of each row.
type figure struct {
	name string
	key  string // the attribute of the test, or the unit of the benchmark
	unit string // shown behind the value
	// scale takes what is reported to unit; 0 is 1.
	scale float64
	of    gather
	aims  []aim
}

// gather combines several values of one row: of several runs, or of
// several tests.
type gather int

const (
	largestOfValues  gather = iota // the largest
	smallestOfValues               // the smallest
	sumOfValues                    // all together
	median                         // the median
	verbatim                       // no number: shown as it is, not judged
)

// aim is what a figure has to be.
type aim struct {
	is    relation
	bound float64
	// short is the bound of the short form, where that is another.
	short *float64
	// row restricts the aim to rows whose names contain it.
	row string
}

type relation int

const (
	atMost relation = iota
	atLeast
	exactly
)

func (r relation) String() string {
	return [...]string{"at most", "at least", "exactly"}[r]
}

func atMostAim(bound float64) []aim  { return []aim{{is: atMost, bound: bound}} }
func atLeastAim(bound float64) []aim { return []aim{{is: atLeast, bound: bound}} }
func exactAim(bound float64) []aim   { return []aim{{is: exactly, bound: bound}} }

// withShortForm is the bound that a short form is held to.
func withShortForm(aims []aim, bound float64) []aim {
	out := slices.Clone(aims)
	for i := range out {
		out[i].short = &bound
	}
	return out
}

func (a aim) boundOf(short bool) float64 {
	if short && a.short != nil {
		return *a.short
	}
	return a.bound
}

func (a aim) appliesTo(row string) bool { return strings.Contains(row, a.row) }
