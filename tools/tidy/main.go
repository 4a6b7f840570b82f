// Command tidy runs `go mod tidy` for every module of the workspace.
//
// The plain command ignores go.work, and so would look for siblings that are not
// published yet. tidy gives it a temporary go.mod per module (-modfile) in which
// every sibling is replaced by its folder, and copies the result back without
// the replaces:
//
//	go.mod ─► tmp/go.mod + replaces ─► go mod tidy ─► minus replaces ─► go.mod, go.sum
//
// A third-party module that one module has pinned keeps that pin when another
// module begins to import it. With -check nothing is written; what would change
// is printed and the exit code is 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"

	"github.com/semlayer/semlayer/tools/workspace"
)

var errNotTidy = errors.New("go.mod or go.sum files are not tidy; run `make tidy`")

func main() {
	check := flag.Bool("check", false, "write nothing, fail when something would change")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	root, err := workspace.FindRoot(".")
	if err == nil {
		err = tidyOrCheckModules(ctx, os.Stdout, root, flag.Args(), *check)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tidy:", err)
		os.Exit(1)
	}
}

func tidyOrCheckModules(ctx context.Context, report io.Writer, root string, only []string, check bool) error {
	w, err := workspace.Load(root)
	if err != nil {
		return err
	}
	modules, err := w.DependencyOrder()
	if err != nil {
		return err
	}
	untidy := false
	for _, m := range modules {
		if len(only) > 0 && !slices.Contains(only, m.Dir) {
			continue
		}
		changes, err := tidyModule(ctx, w, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Dir, err)
		}
		for _, c := range changes {
			untidy = true
			fmt.Fprint(report, c.describeChangedLines(w.Root))
			if check {
				continue
			}
			if err := c.writeFile(); err != nil {
				return err
			}
		}
	}
	if check && untidy {
		return errNotTidy
	}
	return nil
}
