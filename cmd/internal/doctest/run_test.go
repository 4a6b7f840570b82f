package doctest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// shownAddress is an address of a page: that of the demo, or the one that a server of the page listens on.
var shownAddress = regexp.MustCompile(`\blocalhost:8\d{3}\b`)

func TestPages_CommandsGiveShownOutput(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
	base := demo(t)
	examples, err := filepath.Abs(root + "/examples")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, path := range pages(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			blocks := blocksToRun(t, path)
			t.Chdir(t.TempDir()) // each page begins in a folder that has the examples alone
			if err := os.Symlink(examples, "examples"); err != nil {
				t.Fatal(err)
			}
			for _, b := range blocks {
				writeFile(t, b)
				if b.mark != "console" {
					continue
				}
				address := base
				for _, c := range commandsOf(b) {
					ran++
					if line, ok := strings.CutSuffix(strings.TrimSpace(c.text), " &"); ok {
						address = serve(t, append(words(line)[1:], "--bind", "127.0.0.1:0")) // for the rest of the block
						continue
					}
					got := run(t, address, c)
					if d := differs(c.output, got); d != "" {
						t.Errorf("%s:%d: $ %s%s", filepath.Base(path), c.line, c.text, d)
					}
				}
			}
		})
	}
	if ran < 10 {
		t.Errorf("only %d commands were found", ran)
	}
}

// writeFile writes the file that a block shows, or adds the block to a list of one: in front
// of the comment `# more LIST`, with the indentation of that comment.
func writeFile(t *testing.T, b block) {
	t.Helper()
	content := b.text
	_, name, whole := strings.Cut(b.mark, " file=")
	if !whole {
		added, ok := strings.CutPrefix(b.mark, "yaml add=")
		if !ok {
			return
		}
		var list string
		name, list, _ = strings.Cut(added, ":")
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		place := regexp.MustCompile(`(?m)^( *)# more ` + regexp.QuoteMeta(strings.ReplaceAll(list, "_", " ")) + `$`)
		at := place.FindSubmatchIndex(before)
		if at == nil {
			t.Fatalf("line %d: %s has no comment for more %s", b.line, name, list)
		}
		indent := string(before[at[2]:at[3]])
		content = string(before[:at[0]]) + regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(b.text, indent+"$1") + string(before[at[0]:])
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// demo serves the demo for the length of the test and returns its address.
func demo(t *testing.T) string {
	t.Helper()
	return serve(t, []string{"demo", "--stored", "--bind", "127.0.0.1:0"})
}

// serve runs a command that serves for the length of the test and returns its address.
func serve(t *testing.T, args []string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var out testwait.Log
	code := make(chan int, 1)
	go func() {
		code <- cli.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "dev")
	}()
	t.Cleanup(func() {
		cancel()
		if got := <-code; got != 0 {
			t.Errorf("semlayer %s ended with %d", args[0], got)
		}
	})
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`)
	found := ""
	t.Cleanup(func() {
		if found == "" {
			t.Logf("semlayer %s does not start: %s", args[0], out.String())
		}
	})
	testwait.Until(t, "semlayer "+args[0]+" prints its address", func() bool {
		found = address.FindString(out.String())
		return found != ""
	})
	return found
}

// run runs semlayer and curl, the two programs that the pages use.
func run(t *testing.T, base string, c command) string {
	t.Helper()
	args := words(c.text)
	switch args[0] {
	case "semlayer":
		var out testwait.Log
		cli.Run(context.Background(), args[1:], cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, "dev")
		return installed(t, out.String())
	case "curl":
		return curl(t, base, c, args[1:])
	}
	t.Fatalf("line %d: nobody runs %s", c.line, args[0])
	return ""
}

func curl(t *testing.T, base string, c command, args []string) string {
	t.Helper()
	method, url, body, file := "GET", "", "", ""
	header := http.Header{}
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-s":
		case args[i] == "-d" && i+1 < len(args):
			i++
			method, body = "POST", args[i]
		case args[i] == "-o" && i+1 < len(args):
			i++
			file = args[i]
		case args[i] == "-H" && i+1 < len(args):
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case !strings.HasPrefix(args[i], "-") && url == "":
			url = "http://" + shownAddress.ReplaceAllString(strings.TrimPrefix(args[i], "http://"), base)
		default:
			t.Fatalf("line %d: curl %s is not understood here", c.line, args[i])
		}
	}
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	if file == "" {
		return string(text)
	}
	// Output that goes to a file is not on the page: it must not be an error.
	if got.StatusCode != http.StatusOK || len(text) == 0 {
		t.Errorf("line %d: status %d, %d bytes: %s", c.line, got.StatusCode, len(text), text)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return ""
}

// took is a time, which differs from run to run.
var took = regexp.MustCompile(`\b\d+ ms\b`)

// differs compares an output with what a page shows: JSON as JSON, anything
// else exactly, except for times and for white space at the ends of lines.
func differs(want, got string) string {
	want, got = strings.TrimSpace(loadedAt.ReplaceAllString(want, `${1}T"`)), strings.TrimSpace(loadedAt.ReplaceAllString(got, `${1}T"`))
	w, isJSON := decode(want)
	g, both := decode(got)
	if isJSON && both {
		return cmp.Diff(w, g)
	}
	return cmp.Diff(steady(want), steady(got))
}

// loadedAt is when a model was loaded, and its revision, with their values.
var loadedAt = regexp.MustCompile(`("(?:loaded_at|revision)": ?")[^"]*"`)

// trailing is the space with which a table fills its last column.
var trailing = regexp.MustCompile(`(?m) +$`)

func steady(output string) string {
	return trailing.ReplaceAllString(took.ReplaceAllString(output, "N ms"), "")
}

// installed replaces the folder and the program of the test by those that the pages show.
func installed(t *testing.T, output string) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(program, "/usr/local/bin/semlayer", folder, "/data").Replace(output)
}

// decode reads a JSON object or array; numbers keep their digits.
func decode(text string) (any, bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err == nil && !d.More()
}

func TestPages_DocumentEveryRoute(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range restapi.Routes() {
		_, path, _ := strings.Cut(r, " ")
		if !strings.Contains(string(page), path+"`") {
			t.Errorf("%s is missing in docs/operations.md", r)
		}
	}
}

func TestPages_DocumentEveryServerSetting(t *testing.T) {
	var help testwait.Log
	cli.Run(context.Background(), []string{"serve", "--help"}, cli.Streams{In: strings.NewReader(""), Out: &help, Err: &help}, "dev")
	page, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`--[a-z-]+|SVC_[A-Z_]+`).FindAllString(help.String(), -1)
	if len(names) < 15 {
		t.Fatalf("%d names in the help", len(names))
	}
	for _, name := range names {
		if name != "--help" && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s is missing in docs/operations.md", name)
		}
	}
}
