package datafiles_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/datafiles"
)

// folderOf makes a folder with empty files. A name with " -> " is a symbolic link.
func folderOf(t testing.TB, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if isLink {
			err = os.Symlink(target, path)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func find(t testing.TB, paths ...string) *datafiles.FileSet {
	t.Helper()
	set, err := datafiles.FindTables(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// tables prints a set: a line for each table with the names of its files.
func tables(set *datafiles.FileSet) string {
	var b strings.Builder
	for _, t := range set.Tables {
		fmt.Fprintf(&b, "%s %s", t.Name, t.Format)
		for _, f := range t.Files {
			fmt.Fprintf(&b, " %q", f.Name)
			for _, k := range f.Keys {
				fmt.Fprintf(&b, "[%s=%s]", k.Name, k.Value)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestIdent_MakesIdentifiers(t *testing.T) {
	for text, want := range map[string]string{
		"trips": "trips", "Trips 2024": "trips_2024", "2024 trips": "t_2024_trips", "__a__": "a", "a--b..c": "a_b_c",
		"": "t", "!!": "t", "_": "t", "Größe": "gr_e", "日本": "t", "a_ b": "a__b", "x'; DROP TABLE y": "x_drop_table_y",
		"a\nb": "a_b", "٣": "t", "é1": "t_1",
	} {
		if got := datafiles.IdentifierFromText(text); got != want {
			t.Errorf("Ident(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzIdent(f *testing.F) {
	f.Add("Trips 2024.csv")
	f.Add("\xff\x00_9")
	isIdentifier := regexp.MustCompile(`^[a-z]([a-z0-9_]*[a-z0-9])?$`)
	f.Fuzz(func(t *testing.T, text string) {
		got := datafiles.IdentifierFromText(text)
		if !isIdentifier.MatchString(got) || datafiles.IdentifierFromText(got) != got {
			t.Errorf("Ident(%q) = %q", text, got)
		}
	})
}

func TestFind_NamesTables(t *testing.T) {
	folder := folderOf(t,
		"Trips.parquet", "bikes.csv", "stops.tsv.gz", "users.json", "events.jsonl.zst", "more.NDJSON", "a.b.CSV.GZ",
		"notes.txt", "packed.parquet.gz", ".hidden.csv", ".git/config.json", "README", "raw.gz",
		"orders/a.parquet", "orders/deep/er/b.parquet", "orders/_SUCCESS",
		"Mixed text/a.csv", "Mixed text/b.tsv.zst", "empty/notes.md",
		"parts/year=2024/month=01/x.jsonl", "parts/year=2024/y.json",
	)
	set := find(t, folder)
	want := `a_b CSV "a.b.CSV.GZ"
bikes CSV "bikes.csv"
events JSON "events.jsonl.zst"
mixed_text CSV "Mixed text/a.csv" "Mixed text/b.tsv.zst"
more JSON "more.NDJSON"
orders Parquet "orders/a.parquet" "orders/deep/er/b.parquet"
parts JSON "parts/year=2024/month=01/x.jsonl"[year=2024][month=01] "parts/year=2024/y.json"[year=2024]
stops CSV "stops.tsv.gz"
trips Parquet "Trips.parquet"
users JSON "users.json"
`
	if d := cmp.Diff(want, tables(set)); d != "" {
		t.Error(d)
	}
	if set.Skipped != 7 || set.Files != 13 || len(set.Warnings) != 0 {
		t.Errorf("skipped %d, files %d, warnings %q", set.Skipped, set.Files, set.Warnings)
	}
}

func TestFind_FilesAndGlobsAreTablesOfTheirOwn(t *testing.T) {
	folder := folderOf(t, "a.csv", "b.csv", "c.parquet", "notes.txt", "we[ird].csv")
	if got := tables(find(t, filepath.Join(folder, "*.csv"), filepath.Join(folder, "c.parquet"))); got != "a CSV \"a.csv\"\nb CSV \"b.csv\"\nc Parquet \"c.parquet\"\nwe_ird CSV \"we[ird].csv\"\n" {
		t.Error(got)
	}
	if got := tables(find(t, filepath.Join(folder, "we[ird].csv"))); got != "we_ird CSV \"we[ird].csv\"\n" {
		t.Errorf("a file whose name is a glob: %s", got)
	}
	if set := find(t, filepath.Join(folder, "*")); len(set.Tables) != 4 || set.Skipped != 1 {
		t.Errorf("a glob that matches other files: %s, skipped %d", tables(set), set.Skipped)
	}
}

func TestFind_FolderOfKeysIsOneTable(t *testing.T) {
	folder := folderOf(t, "trips/day=2024-01-01/a.parquet", "trips/day=2024-01-02/b.parquet", "trips/notes.txt")
	set := find(t, filepath.Join(folder, "trips"))
	want := `trips Parquet "day=2024-01-01/a.parquet"[day=2024-01-01] "day=2024-01-02/b.parquet"[day=2024-01-02]` + "\n"
	if d := cmp.Diff(want, tables(set)); d != "" || set.Skipped != 1 {
		t.Error(d, set.Skipped)
	}
}

func TestFind_FollowsLinksInsideThePathOnly(t *testing.T) {
	outside := folderOf(t, "secret.csv", "dir/more.csv")
	folder := folderOf(t,
		"..v1/trips.csv", "..data -> ..v1", "trips.csv -> ..data/trips.csv",
		"out.csv -> "+filepath.Join(outside, "secret.csv"), "outdir -> "+outside, "gone.csv -> nothing.csv", "self.csv -> self.csv",
		"parts/a.csv", "parts/again.csv -> a.csv", "parts/loop -> ../parts", "up -> ..", "parts/up.csv -> ../../../../../../etc/passwd",
	)
	set := find(t, folder)
	want := "parts CSV \"parts/a.csv\"\ntrips CSV \"trips.csv\"\n"
	if d := cmp.Diff(want, tables(set)); d != "" {
		t.Error(d)
	}
	canonical, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Tables[1].Files[0].Path; got != filepath.Join(canonical, "..v1/trips.csv") {
		t.Errorf("the path of the link is %s", got)
	}
	if len(set.Warnings) != 8 {
		t.Errorf("warnings: %s", strings.Join(set.Warnings, "\n"))
	}
}

func TestFind_SkipsWhatIsNotAFile(t *testing.T) {
	folder := folderOf(t, "a.csv")
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	if set := find(t, folder); len(set.Tables) != 1 || set.Skipped != 1 {
		t.Errorf("%s, skipped %d", tables(set), set.Skipped)
	}
}

func TestFind_ErrorsNameTheFiles(t *testing.T) {
	folder := folderOf(t, "Trips 1.csv", "trips-1.parquet", "two/a.csv", "two/b.parquet", "none/x.txt", "one/a.csv", "line\nbreak.txt")
	many := t.TempDir()
	for i := range datafiles.MaxFiles + 1 {
		if err := os.WriteFile(filepath.Join(many, fmt.Sprintf("f%d.csv", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		paths []string
		want  []string
	}{
		{[]string{filepath.Join(folder, "Trips 1.csv"), filepath.Join(folder, "trips-1.parquet")}, []string{"Trips 1.csv", "trips-1.parquet", "the table trips_1"}},
		{[]string{filepath.Join(folder, "one"), filepath.Join(folder, "one")}, []string{"one/a.csv", "the table a"}},
		{[]string{folder}, []string{"two formats", "two/a.csv", "CSV", "two/b.parquet", "Parquet"}},
		{[]string{filepath.Join(folder, "none")}, []string{"no data file found in", "none"}},
		{[]string{filepath.Join(folder, "missing")}, []string{"no data file found at", "missing"}},
		{[]string{filepath.Join(folder, "none/x.txt")}, []string{"x.txt is not a data file"}},
		{[]string{filepath.Join(folder, "none/*.txt")}, []string{"no data file found among the files that match", "*.txt"}},
		{[]string{filepath.Join(folder, "line\nbreak.txt")}, []string{`line\nbreak.txt" is not a data file`}},
		{[]string{""}, []string{`the path "" of data files is not valid`}},
		{[]string{"a\x00b"}, []string{`the path "a\x00b" of data files is not valid`}},
		{[]string{many}, []string{"more than 10000 data files", many}},
	}
	for _, tt := range tests {
		_, err := datafiles.FindTables(t.Context(), tt.paths)
		var e *executor.Error
		if !errors.As(err, &e) || e.Code != executor.CodeConfig {
			t.Errorf("%q: got %v, want code config", tt.paths, err)
			continue
		}
		for _, text := range tt.want {
			if !strings.Contains(e.Message, text) {
				t.Errorf("%q: %q does not name %q", tt.paths, e.Message, text)
			}
		}
		if strings.ContainsAny(e.Message, "\n\x00") {
			t.Errorf("%q: the message has a control character: %q", tt.paths, e.Message)
		}
	}
}

func TestFind_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := datafiles.FindTables(ctx, []string{folderOf(t, "a.csv")}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFingerprint_ChangesWithTheFiles(t *testing.T) {
	folder := folderOf(t, "a.csv", "parts/b.csv")
	first := find(t, folder).Fingerprint()
	if find(t, folder).Fingerprint() != first {
		t.Error("equal files have two fingerprints")
	}
	seen := map[any]string{first: "nothing"}
	for _, c := range []struct {
		what   string
		change func() error
	}{
		{"a file grows", func() error { return os.WriteFile(filepath.Join(folder, "a.csv"), []byte("x"), 0o600) }},
		{"a file is touched", func() error { return os.Chtimes(filepath.Join(folder, "a.csv"), time.Time{}, time.Unix(1, 5)) }},
		{"a file is added", func() error { return os.WriteFile(filepath.Join(folder, "parts/c.csv"), nil, 0o600) }},
		{"a file that is no data", func() error { return os.WriteFile(filepath.Join(folder, "x.txt"), nil, 0o600) }},
		{"a table gets a new name", func() error { return os.Rename(filepath.Join(folder, "parts"), filepath.Join(folder, "pieces")) }},
	} {
		before := find(t, folder).Fingerprint()
		what := c.what
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		after := find(t, folder).Fingerprint()
		if same := before == after; same != (what == "a file that is no data") {
			t.Errorf("%s: equal %v", what, same)
		}
		if other, ok := seen[after]; ok && before != after {
			t.Errorf("%s: the fingerprint of %s", what, other)
		}
		seen[after] = what
	}
}

func TestKeyType_NeedsEveryValue(t *testing.T) {
	for text, want := range map[string]datafiles.PartitionKeyType{
		"1 02 -3": datafiles.PartitionKeyInteger, "1 x": datafiles.PartitionKeyText, "2024-01-01 2024-02-29": datafiles.PartitionKeyDate, "2024-02-30": datafiles.PartitionKeyText,
		"2024-01-01 7": datafiles.PartitionKeyText, "7 __HIVE_DEFAULT_PARTITION__": datafiles.PartitionKeyInteger, "__HIVE_DEFAULT_PARTITION__": datafiles.PartitionKeyText,
		"1234567890123456789": datafiles.PartitionKeyText, "+1": datafiles.PartitionKeyText, "1.0": datafiles.PartitionKeyText, "-": datafiles.PartitionKeyText, "": datafiles.PartitionKeyText,
	} {
		if got := datafiles.PartitionKeyTypeOfValues(strings.Fields(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
