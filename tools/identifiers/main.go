// Command identifiers draws names of this repository at random and prints them without code.
//
//	go run ./tools/identifiers -seed 7
//
// A reader who does not know the code writes beside each line what the file or the declaration
// holds. A name that the reader gets wrong needs a better one. The same seed draws the same list
// from the same files.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/semlayer/semlayer/tools/workspace"
)

func main() {
	seed := flag.Uint64("seed", 1, "the seed of the draw")
	files := flag.Int("files", 15, "how many names of files to draw")
	declared := flag.Int("identifiers", 65, "how many functions, methods, types, variables and constants to draw")
	flag.Parse()
	root, err := workspace.FindRoot(".")
	if err == nil {
		err = printDrawnNames(os.Stdout, root, *seed, *files, *declared)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "identifiers:", err)
		os.Exit(1)
	}
}

// printDrawnNames prints a drawn list, one name a line: its package, its kind and the name.
func printDrawnNames(out io.Writer, root string, seed uint64, files, identifiers int) error {
	work, err := workspace.Load(root)
	if err != nil {
		return err
	}
	all, err := collectNames(work)
	if err != nil {
		return err
	}
	for _, n := range drawNames(all, seed, files, identifiers) {
		if _, err := fmt.Fprintf(out, "%-36s %-9s %s\n", n.Package, n.Kind, n.Text); err != nil {
			return err
		}
	}
	return nil
}
