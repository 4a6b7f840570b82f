package injection_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// text is something hostile to say. Only what is wellFormed can be in a column, and
// then a value of a request.
type text struct {
	name string
	// value is the text; json is its form inside a JSON string, where that is not
	// the encoding of value.
	value, json string
}

// row returns the key under which the table holds the text. The rows of the texts are
// numbered from 1.
func (x text) row() int {
	return 1 + slices.IndexFunc(storable(), func(other text) bool { return other.name == x.name })
}

// wellFormed: the text can be a value, so that a condition finds its row.
func (x text) wellFormed() bool {
	return x.json == "" && utf8.ValidString(x.value) && !strings.ContainsRune(x.value, 0)
}

// long texts pass no limit of a condition.
func (x text) long() bool { return len(x.value) > 60<<10 }

// forms are the spellings of a text in inputs, inside a JSON string.
type forms struct{ raw, literal, pattern, name, escaped string }

var allForms sync.Map // of the texts of the corpus, by name

func (x text) forms(tb testing.TB) forms {
	tb.Helper()
	if f, ok := allForms.Load(x.name); ok {
		return f.(forms)
	}
	f := forms{raw: x.json}
	if f.raw == "" {
		f.raw = quoted(tb, x.value)
	}
	f.literal = strings.ReplaceAll(f.raw, "'", "''")
	f.pattern = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(f.literal)
	f.name = strings.ReplaceAll(f.raw, `\"`, `\"\"`)
	f.escaped = f.raw
	if x.json == "" {
		f.escaped = quoted(tb, strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(x.value))
	}
	if x.name != "" {
		allForms.Store(x.name, f)
	}
	return f
}

// quoted returns a text in its form inside a JSON string, no letter more escaped than
// need be.
func quoted(tb testing.TB, s string) string {
	tb.Helper()
	if !utf8.ValidString(s) {
		return s // what no encoder would write
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		tb.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}

// The canary is a file that engines in the same machine could read, and its folder
// one that they could write to.
var canary struct{ folder, file, secret string }

func makeCanary() error {
	var err error
	if canary.folder, err = os.MkdirTemp("", "semlayer-injection-"); err != nil {
		return err
	}
	// The servers run as other users.
	if err := os.Chmod(canary.folder, 0o777); err != nil {
		return err
	}
	canary.secret = "tweet-7f3c9b52-of-the-canary"
	canary.file = filepath.Join(canary.folder, "canary.csv")
	// What reads the environment would find it there.
	if err := os.Setenv("SEMLAYER_INJECTION_CANARY", canary.secret); err != nil {
		return err
	}
	return os.WriteFile(canary.file, []byte(canary.secret+"\n"), 0o644)
}

// storable are the texts that have a row.
var storable = sync.OnceValue(func() []text {
	return slices.DeleteFunc(slices.Clone(texts()), func(x text) bool { return !x.wellFormed() || x.long() })
})

// texts is the corpus.
var texts = sync.OnceValue(corpus)

// corpus makes the texts. {file} and {folder} are those of the canary.
func corpus() []text {
	var out []text
	add := func(kind string, values ...string) {
		for _, v := range values {
			v = strings.NewReplacer("{file}", canary.file, "{folder}", canary.folder).Replace(v)
			out = append(out, text{name: kind + " " + truncate(v), value: v})
		}
	}
	add("quote", `'`, `''`, `"`, "`", `""`, "``", `'"`, `O'Brien`, `''''`, `' OR '1'='1`, `" OR ""="`, "` OR `1`=`1", `x' OR 1=1 -- `, `') OR ('1'='1`, `’`, `＇`, `ʼ`)
	add("backslash", `\`, `\\`, `\'`, `\\'`, `\"`, `x\`, `\' OR 1=1 -- `, `\'; DROP TABLE notes; -- `, `'\`, `\n`, `\x27`, `\u0027`, `\%`, `\_`, `C:\new\table`)
	add("comment", `--`, `-- `, `/*`, `*/`, `/**/`, `/* ' */`, `#`, `# comment`, `/*!50000 SELECT 1*/`, `/*+ hint */`, `x -- '`, `//`)
	add("separator", `;`, `; DROP TABLE notes`, `'; DROP TABLE notes; --`, `x; SELECT 1`, "1\n;\nSELECT 2", `$$`, `$$;DROP TABLE notes;$$`, `$tag$`, `$tag$ x $tag$`, `\g`, `\!`, "\nGO\n", `DELIMITER //`)
	add("prefixed", `E'x\'y'`, `e'\\'`, `N'x'`, `X'41'`, `B'1'`, `U&'\0041'`, `_utf8'x'`, `q'[x]'`, `0x27`)
	add("placeholder", `?`, `??`, `$1`, `$2`, `:name`, `:t`, `@x`, `@@datadir`, `@@version`, `%s`, `%(x)s`, `{}`, `{{ x }}`, `${HOME}`, `{file:x}`, `{uuid:7}`)
	add("pattern", `%`, `_`, `%%`, `a%b_c`, `!%`, `[a-z]`, `*`, `.*`, `^`, `!|~^#@\`)
	add("control", "a\nb", "a\rb", "\r\n", "\t", "\x01", "\x08", "\x1a", "\x1b[31m", "\x7f", "a\vb\fc")
	add("unicode", "\u202e' gnp", "\u200f", "\u2066x\u2069", "\u200b", "\u200d", "\ufeff", "\u00a0", "\u2028", "\u0301", "\u00e9", "e\u0301", "ﬃ", "ß", "İ", "😀", "\U0010ffff", "\ufffd", "縗", "\u0085")
	add("word", `NULL`, `null`, `true`, `DEFAULT`, `SELECT`, `x'`, `1`, `-1`, `1e5`, `NaN`, `Infinity`, `2024-01-01`, `now`, `today`, `epoch`, `notes`, `body`, `notes.body`, `metric_time`)
	add("statement", `SELECT 1`, `(SELECT 1)`, `(SELECT body FROM notes LIMIT 1)`, `1 UNION SELECT 2`, `' UNION SELECT body FROM notes -- `, `WITH x AS (SELECT 1) SELECT * FROM x`,
		`CREATE TABLE t(i int)`, `INSERT INTO notes(id) VALUES (1)`, `UPDATE notes SET body = ''`, `DELETE FROM notes`, `CALL f()`, `VACUUM`, `SET x = 1`, `BEGIN`, `EXECUTE IMMEDIATE 'SELECT 1'`)
	add("duckdb", `read_csv('{file}')`, `read_text('{file}')`, `(SELECT content FROM read_blob('{file}'))`, `'{file}'`, `COPY notes TO '{folder}/out.csv'`, `ATTACH '{folder}/x.db'`,
		`INSTALL httpfs`, `LOAD httpfs`, `PRAGMA database_list`, `getenv('SEMLAYER_INJECTION_CANARY')`, `glob('{folder}/*')`, `query('SELECT 1')`, `EXPORT DATABASE '{folder}'`, `current_setting('temp_directory')`)
	add("postgres", `pg_read_file('{file}')`, `pg_sleep(120)`, `lo_import('{file}')`, `dblink('host=127.0.0.1', 'SELECT 1')`, `COPY notes TO PROGRAM 'touch {folder}/out'`, `set_config('search_path', 'x', false)`,
		`pg_ls_dir('{folder}')`, `pg_terminate_backend(1)`, `query_to_xml('SELECT 1', true, true, '')`, `DO $$ BEGIN PERFORM pg_sleep(120); END $$`, `lo_export(1, '{folder}/out')`, `current_setting('data_directory')`)
	add("mariadb", `LOAD_FILE('{file}')`, `1 INTO OUTFILE '{folder}/out'`, `1 INTO DUMPFILE '{folder}/out'`, `SLEEP(120)`, `BENCHMARK(1000000000, MD5(1))`, `GET_LOCK('x', 120)`, `x' PROCEDURE ANALYSE() -- `,
		`LOAD DATA INFILE '{file}' INTO TABLE notes`, `extractvalue(1, concat(0x7e, version()))`, `HANDLER notes OPEN`)
	add("sqlite", `load_extension('x')`, `readfile('{file}')`, `writefile('{folder}/out', 'x')`, `randomblob(1000000000)`, `ATTACH DATABASE '{folder}/x' AS x`)
	out = append(out,
		text{name: "NUL", value: "a\x00b"},
		text{name: "a NUL and a quote", value: "\x00' OR 1=1 -- "},
		text{name: "a high surrogate", json: `\ud800`},
		text{name: "a low surrogate and a quote", json: `\udc27' OR 1=1 -- `},
		text{name: "surrogates turned around", json: `\udc00\ud800`},
		text{name: "an overlong quote", value: "\xc0\xa7 OR 1=1 -- "},
		text{name: "half a character before a quote", value: "\xbf' OR 1=1 -- "},
		text{name: "invalid UTF-8", value: "\xff\xfe"},
		text{name: "20 KiB of quotes and backslashes", value: strings.Repeat(`'\"`, 20<<10/3)},
		text{name: "1 MiB of letters", value: strings.Repeat("x", 1<<20)},
		text{name: "1 MiB of quotes", value: strings.Repeat(`'`, 1<<20)},
		text{name: "1 MiB of brackets", value: strings.Repeat(`(`, 1<<20)},
	)
	return out
}

func truncate(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:30]) + "…"
	}
	return s
}
