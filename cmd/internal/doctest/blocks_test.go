package doctest

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is one fenced block of a page.
type block struct {
	line int
	mark string // the info string after the fence
	text string
}

// command is one command of a console block with the output below it.
type command struct {
	line   int
	text   string
	output string
}

// root is the folder of the repository.
const root = "../../.."

// pages lists the pages whose commands are run.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(found) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	keys, err := filepath.Glob(root + "/docs/extension/*.md")
	if err != nil || len(keys) == 0 {
		t.Fatalf("no pages of the extension: %v", err)
	}
	return slices.Concat([]string{root + "/README.md"}, found, keys)
}

// extensionPage has the model that the pages of the keys of the extension add to.
const extensionPage = root + "/docs/extension.md"

// continuedPages names the pages whose pieces of the model a page uses.
var continuedPages = regexp.MustCompile(`<!-- continues: ([a-z -]+\.md) -->`)

// blocksToRun returns the blocks of a page, after those of the page with its model, and after the files of a page that it continues.
func blocksToRun(t *testing.T, path string) []block {
	t.Helper()
	if filepath.Base(filepath.Dir(path)) != "extension" {
		return blocksOf(t, path)
	}
	blocks := blocksOf(t, extensionPage)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, continued := range continuedPages.FindAllStringSubmatch(string(text), -1) {
		files := blocksOf(t, filepath.Join(filepath.Dir(path), continued[1]))
		blocks = append(blocks, slices.DeleteFunc(files, func(b block) bool { return b.mark == "console" })...)
	}
	return append(blocks, blocksOf(t, path)...)
}

func blocksOf(t *testing.T, path string) []block {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []block
	var open *block
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case open == nil && strings.HasPrefix(line, "```"):
			open = &block{line: n, mark: strings.TrimPrefix(line, "```")}
		case open != nil && line == "```":
			out = append(out, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: a block does not end", path, open.line)
	}
	return out
}

// commandsOf splits a console block. A command continues over several lines for
// as long as a quotation is open.
func commandsOf(b block) []command {
	var out []command
	inQuotes := false
	for i, line := range strings.SplitAfter(b.text, "\n") {
		rest, begins := strings.CutPrefix(line, "$ ")
		switch {
		case inQuotes:
			out[len(out)-1].text += line
			inQuotes = inQuotes != (strings.Count(line, "'")%2 == 1)
		case begins:
			out = append(out, command{line: b.line + 1 + i, text: rest})
			inQuotes = strings.Count(rest, "'")%2 == 1
		case len(out) > 0:
			out[len(out)-1].output += line
		}
	}
	return out
}

// words splits a command line as a shell does, as far as the pages need it:
// spaces part words, single quotes keep them together.
func words(line string) []string {
	var out []string
	var word strings.Builder
	started, quote := false, rune(0)
	for _, r := range line {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, started = r, true
		case quote == 0 && (r == ' ' || r == '\n'):
			if started {
				out = append(out, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if started {
		out = append(out, word.String())
	}
	return out
}
