// Command promises measures the guarantees of this project and writes their pages.
//
//	*_promises*.go ─► commands ─► go test -json ─► figures ─► docs/promises.json ─► docs/promises.md
//	  sentence, aim                              (t.Attr, b.ReportMetric)
//
// A promise is a sentence that a user may rely on, the figures that show whether it is
// kept, what they have to be, and the one command that measures them. Tests hand their
// figures over by t.Attr, benchmarks by b.ReportMetric. A promise whose command fails,
// or gives no figure, is on its page as failed: none is left out.
//
// There are two pages. docs/promises.md is about correctness: results, errors, limits,
// faults. docs/benchmarks.md is about speed. Each has a file of results, and the page is
// generated from that file and from the declarations here, so that a test detects an edit
// of the page by hand. A
// run of a part (-only) replaces its own results; every figure keeps its day, commit
// and machine.
//
//	go run ./tools/promises -list
//	go run ./tools/promises -page benchmarks -only overhead -write
//	go run ./tools/promises -short            # a few minutes, to see that all of it runs
//	go run ./tools/promises -render -write    # the pages again, from results that are there
//
// The exit code is 1 when a promise failed, and when one of the page of promises was
// missed. The page shows a missed aim of the benchmarks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"

	"github.com/semlayer/semlayer/tools/workspace"
)

// options are the flags.
type options struct {
	page         string
	only         *regexp.Regexp // nil for all
	short        bool
	write        bool
	render, list bool
}

func main() {
	o, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = measurePagesOrListPromises(ctx, os.Stdout, o)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "promises:", err)
		os.Exit(1)
	}
}

func parseFlags(args []string) (options, error) {
	var o options
	var only string
	f := flag.NewFlagSet("promises", flag.ContinueOnError)
	f.StringVar(&o.page, "page", "", "promises or benchmarks; both when empty")
	f.StringVar(&only, "only", "", "a regular expression: measure the promises whose names match")
	f.BoolVar(&o.short, "short", false, "measure the short forms")
	f.BoolVar(&o.write, "write", false, "write results and pages; without it pages are printed")
	f.BoolVar(&o.render, "render", false, "measure nothing")
	f.BoolVar(&o.list, "list", false, "list the promises with their commands")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if only != "" {
		var err error
		if o.only, err = regexp.Compile(only); err != nil {
			return o, fmt.Errorf("-only: %w", err)
		}
	}
	return o, nil
}

func measurePagesOrListPromises(ctx context.Context, out io.Writer, o options) error {
	root, err := workspace.FindRoot(".")
	if err != nil {
		return err
	}
	known, asked, broken := false, o.render, 0
	for _, p := range allPages() {
		if o.page != "" && o.page != p.name {
			continue
		}
		known = true
		asked = asked || slices.ContainsFunc(p.promises(), o.isPromiseSelected)
		if o.list {
			printPromiseList(out, p, o)
			continue
		}
		n, err := p.measureAndWritePage(ctx, out, root, o)
		if err != nil {
			return err
		}
		broken += n
	}
	switch {
	case !known:
		return fmt.Errorf("there is no page %q", o.page)
	case !asked:
		return fmt.Errorf("no promise is called like %s; -list names them", o.only)
	case broken > 0:
		return fmt.Errorf("%d promises are not kept", broken)
	}
	return nil
}

func printPromiseList(out io.Writer, p resultsPage, o options) {
	for _, x := range p.promises() {
		if o.isPromiseSelected(x) {
			fmt.Fprintf(out, "%-12s %s\n%-12s %s\n", x.name, x.sentence, "", x.run.reproduceCommandLine(o.short))
		}
	}
}

// isPromiseSelected reports whether a promise is to be measured.
func (o options) isPromiseSelected(x promise) bool {
	return x.from == "" && (o.only == nil || o.only.MatchString(x.name))
}

// measureAndWritePage runs the chosen promises and renders the page. It returns how many of the
// promises that were requested are not kept.
func (p resultsPage) measureAndWritePage(ctx context.Context, out io.Writer, root string, o options) (broken int, err error) {
	results, err := readResults(p.filePath(root, "json"))
	if err != nil {
		return 0, err
	}
	if !o.render {
		m := newCommandRunner(ctx, root, out, o.short)
		for _, x := range p.promises() {
			if !o.isPromiseSelected(x) {
				continue
			}
			if results[x.name], err = m.measurePromise(ctx, x); err != nil {
				return 0, err
			}
			t := newPromiseResult(x, results[x.name])
			fmt.Fprintf(out, "%-12s %s\n", x.name, t.summaryLine())
			if t.outcome == outcomeFailed || t.outcome == outcomeMissed && p.strict {
				broken++
			}
			// The results survive every later error.
			if o.write {
				if err := results.writeResultsFile(p.filePath(root, "json")); err != nil {
					return 0, err
				}
			}
		}
	}
	text, err := p.renderPage(root, results)
	if err != nil {
		return 0, err
	}
	if o.write {
		return broken, os.WriteFile(p.filePath(root, "md"), text, 0o644)
	}
	_, err = out.Write(text)
	return broken, err
}
