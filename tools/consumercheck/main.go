// Command consumercheck proves that the modules of this repository can be used
// separately, as a program that depends on one of them at a version does.
//
// It publishes every released module of the working tree to a file-system proxy
// at the version that versions.yaml gives it. Each module is then downloaded
// from there and built alone, with GOWORK=off, and its go.mod has to be complete. Then come programs that require some of the modules: each is built,
// without cgo where it needs no DuckDB, and run. At last the binary is installed by
// version and requested it.
//
//	working tree -> file proxy -> go mod download -> go build ./...
//	                          |-> go build of each program
//	                          \-> go install .../cmd/semlayer@version
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/semlayer/semlayer/tools/workspace"
)

const (
	binaryModule  = "cmd"
	binaryPackage = "github.com/semlayer/semlayer/cmd/semlayer"
)

func main() {
	keep := flag.Bool("keep", false, "keep the temporary folder for a look")
	only := flag.Bool("programs", false, "build the programs only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := runConsumerCheck(ctx, *keep, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "consumer-check:", err)
		os.Exit(1)
	}
}

func runConsumerCheck(ctx context.Context, keep, only bool) error {
	root, err := workspace.FindRoot(".")
	if err != nil {
		return err
	}
	w, err := workspace.Load(root)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "semlayer-consumer-")
	if err != nil {
		return err
	}
	if keep {
		fmt.Println("temporary folder:", tmp)
	} else {
		defer os.RemoveAll(tmp)
	}
	c, err := newConsumer(ctx, tmp)
	if err != nil {
		return err
	}

	modules, err := w.DependencyOrder()
	if err != nil {
		return err
	}
	var released []workspace.Module
	for _, m := range modules {
		version, ok := w.Versions.Modules[m.Dir]
		if !ok {
			continue
		}
		if err := c.publishModule(w.AbsModuleDir(m), m.Path, version); err != nil {
			return fmt.Errorf("%s: %w", m.Dir, err)
		}
		released = append(released, m)
	}
	var failed []error
	for _, m := range released {
		if only {
			break
		}
		failed = append(failed, runAndPrintDuration(m.Dir+": built alone", func() error {
			return c.buildModuleOutsideWorkspace(ctx, w, m, w.Versions.Modules[m.Dir])
		}))
	}
	list, err := consumerPrograms(root)
	if err != nil {
		return err
	}
	for _, p := range list {
		failed = append(failed, runAndPrintDuration("program "+p.name+": built and run", func() error { return c.buildAndRunProgram(ctx, w, p) }))
	}
	if only {
		return errors.Join(failed...)
	}
	failed = append(failed, runAndPrintDuration("semlayer: installed by version", func() error {
		return c.installAndCheckBinary(ctx, binaryPackage, w.Versions.Modules[binaryModule])
	}))
	return errors.Join(failed...)
}

func runAndPrintDuration(what string, do func() error) error {
	start := time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	fmt.Printf("ok  %-34s %5.1fs\n", what, time.Since(start).Seconds())
	return nil
}
