package cube_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
)

func readFile(name, text, prefix string) (*importer.Result, error) {
	imported, err := cube.Read([]importer.SourceFile{{Name: name, Text: []byte(text)}}, importer.Options{ModelName: "m", SourcePrefix: prefix})
	if err != nil {
		return nil, err
	}
	return importer.FinishImport(context.Background(), imported, plansAll)
}

// placesOf lists the entries that are not exact with their lines.
func placesOf(result *importer.Result) []string {
	var out []string
	for _, e := range result.Entries {
		if e.Outcome != importer.OutcomeExact {
			out = append(out, fmt.Sprintf("%d: %s %s %s: %s", e.Line, e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	return out
}

const ferriesYAML = `
cubes:
  - name: ferries
    sql: SELECT * FROM ferries WHERE deck > 'a''b'
    title: The ferries
    joins:
      - {name: harbours, relationship: many_to_one, sql: "{CUBE}.harbour_id = {harbours.harbour_id}"}
    dimensions:
      - {name: ferry_id, sql: ferry_id, type: number, primary_key: true}
      - {name: leftAt, sql: "{CUBE}.left_at", type: time}
      - {name: size, type: string, case: {when: [{sql: "{CUBE}.seats > 100", label: large}], else: {label: small}}}
      - {name: harbour_town, sql: "{harbours.town}", type: string}
    measures:
      - {name: ferry_count, type: count}
      - {name: seats, sql: seats, type: sum, drill_members: [ferry_id, harbours.town]}
      - {name: full, type: count, filters: [{sql: "{CUBE}.seats = 0"}, {sql: "{size} <> 'small'"}]}
      - {name: mean_seats, sql: "{seats} / {ferry_count}", type: number}
      - {name: lately, sql: seats, type: sum, rolling_window: {trailing: 7 day}}
    segments:
      - {name: fast, sql: "{CUBE}.knots > 20"}
  - name: harbours
    sql_table: harbours
    meta: {synonyms: [ports], depth: -3}
    dimensions:
      - {name: harbour_id, sql: harbour_id, type: number, primary_key: true}
      - {name: town, sql: town, type: string}
`

const ferriesJavaScript = `'use strict'; // the ferries
/* of all harbours { */
cube(` + "`ferries`" + `, {
  sql: "SELECT * FROM ferries WHERE deck > 'a\'\'b'",
  title: ` + "`The \\u0066erries`" + `,
  joins: { harbours: { relationship: ` + "`belongsTo`" + `, sql: ` + "`${CUBE}.harbour_id = ${harbours.harbour_id}`" + ` } },
  dimensions: {
    ferry_id: { sql: 'ferry_id', type: 'number', primaryKey: true },
    leftAt: { sql: ` + "`${CUBE}.left_at`" + `, type: 'time' },
    "size": { type: 'string', case: { when: [{ sql: ` + "`${CUBE}.seats > 100`" + `, label: 'large' }], else: { label: 'small' } } },
    harbour_town: { sql: ` + "`${harbours.town}`" + `, type: 'string' },
  },
  measures: {
    ferry_count: { type: 'count' },
    seats: { sql: ` + "`seats`" + `, type: 'sum', drillMembers: [ferry_id, harbours.town] },
    full: { type: 'count', filters: [{ sql: ` + "`${CUBE}.seats = 0`" + ` }, { sql: ` + "`${size} <> 'small'`" + ` }] },
    mean_seats: { sql: ` + "`${seats} / ${ferry_count}`" + `, type: 'number' },
    lately: { sql: 'seats', type: 'sum', rollingWindow: { trailing: '7 day' } },
  },
  segments: { fast: { sql: ` + "`${CUBE}.knots > 20`" + ` } },
});
cube('harbours', {
  sql_table: 'harbours',
  meta: { synonyms: ['ports'], depth: -3 },
  dimensions: {
    harbour_id: { sql: 'harbour_id', type: 'number', primary_key: true },
    town: { sql: 'town', type: 'string' },
  },
})
`

// The two files say the same in the two languages of Cube, and have one model.
func TestRead_JavaScriptIsReadAsYAMLIs(t *testing.T) {
	fromYAML, err := readFile("ferries.yml", ferriesYAML, "")
	if err != nil {
		t.Fatal(err)
	}
	fromJavaScript, err := readFile("ferries.js", ferriesJavaScript, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(fromYAML.Model), string(fromJavaScript.Model)); diff != "" {
		t.Errorf("-yaml +javascript\n%s", diff)
	}
	outcomes := func(result *importer.Result) (out []string) {
		for _, e := range result.Entries {
			out = append(out, fmt.Sprintf("%s %s %s %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
		slices.Sort(out)
		return out
	}
	if diff := cmp.Diff(outcomes(fromYAML), outcomes(fromJavaScript)); diff != "" {
		t.Errorf("-yaml +javascript\n%s", diff)
	}
	for _, e := range fromJavaScript.Entries {
		if line := strings.Split(ferriesJavaScript, "\n")[e.Line-1]; e.Construct != "measure key" && !strings.Contains(line, e.Name[strings.Index(e.Name, ".")+1:]) {
			t.Errorf("%s %s is not in line %d: %s", e.Construct, e.Name, e.Line, line)
		}
	}
}

func TestRead_ProgramsInJavaScriptAreDroppedWithTheirLines(t *testing.T) {
	for _, c := range []struct {
		of, text string
		want     []string
	}{
		{"a statement", `import { a } from './a';
const list = ['x'];
list.forEach((x) => cube(x, {}));
cube('boats', { sql_table: 'boats', measures: { boat_count: { type: 'count' } } });
`, []string{"1: dropped file f.js: line 1: a program is not read: the cubes, views and values that it makes are missing"}},
		{"a statement between cubes", `cube('boats', {
  sql_table: 'boats',
  measures: { boat_count: { type: 'count' } },
});
// makes more
if (true) { cube('more', { sql_table: 'more', measures: { n: { type: 'count' } } }) }
`, []string{"6: dropped file f.js: line 6: a program is not read: the cubes, views and values that it makes are missing"}},
		{"members", "const kind = 'sum';\ncube('boats', { sql_table: 'boats', dimensions: {\n  a: { sql: `${make('x')}`, type: 'string' },\n  b: { sql: () => 'b', type: 'string' },\n" +
			"  c: { ...a, type: 'string' },\n  d: { sql: 'd', type: kind },\n  [e]: { sql: 'e', type: 'string' },\n  f: { sql: '{CUBE}.f', type: 'string' },\n  g: { sql: `x'\\07'`, type: 'string' },\n" +
			"  h: { sql: 'h' + 'i', type: 'string' },\n  i: other.i,\n  j() { return 1 },\n  k: { sql: `${kind}`, type: 'string' },\n  l: { sql: SQL`l`, type: 'string' },\n  z: { sql: 'z', type: 'string' },\n} });", []string{
			"1: dropped file f.js: line 1: a program is not read: the cubes, views and values that it makes are missing",
			"2: dropped dimension boats: line 7: a computed key is a program, which is not read",
			"3: dropped dimension boats.a: line 3: the call make(…) is a program, which is not read",
			"4: dropped dimension boats.b: line 4: a function is a program, which is not read",
			"5: dropped dimension boats.c: line 5: a spread is a program, which is not read",
			"6: dropped dimension boats.d: line 6: the variable kind is a program, which is not read",
			"8: dropped dimension boats.f: line 8: its SQL has {CUBE}.f, which is text in JavaScript and not a reference",
			`9: dropped dimension boats.g: line 9: a text has the escape "\\07'", which is not read`,
			"10: dropped dimension boats.h: line 10: an expression is a program, which is not read",
			"11: dropped dimension boats.i: line 11: the variable other.i is a program, which is not read",
			"13: dropped dimension boats.k: line 13: the variable kind is a program, which is not read",
			"14: dropped dimension boats.l: line 14: a tagged template is a program, which is not read",
		}},
		{"a cube", "cube('boats', {\n  sql: `SELECT * FROM ${table()}`,\n  measures: { n: { type: 'count' } },\n});\ncube('oars', { ...base, measures: { n: { type: 'count' } } });\n" +
			"cube('masts', { sql_table: 'masts', measures: { m: { type: 'count' } }, preAggregations: load() });\ncube('keels', { sql_table: 'keels' });", []string{
			"1: dropped cube boats: line 2: the call table(…) is a program, which is not read",
			"2: dropped cube key boats.sql: line 2: the call table(…) is a program, which is not read",
			"3: dropped measure boats.n: its cube is dropped: line 2: the call table(…) is a program, which is not read",
			"5: dropped cube oars: line 5: a spread is a program, which is not read",
			"5: dropped measure oars.n: its cube is dropped: line 5: a spread is a program, which is not read",
			"6: dropped cube key masts.pre_aggregations: line 6: the call load(…) is a program, which is not read",
			"7: dropped cube keels: it has no members: there is nothing to import",
		}},
		{"a member that a cube replaces", "cube('boats', { sql_table: 'boats', measures: { n: { type: 'count' }, m: { sql: 'm', type: 'max' } } });\n" +
			"cube('ferries', {\n  extends: boats, sql_table: 'ferries',\n  measures: { n: make() } });", []string{
			"1: approximated measure boats.m: it is renamed: another cube has a measure of the same name",
			"4: dropped measure ferries.n: line 4: the call make(…) is a program, which is not read",
		}},
		{"an access policy", "cube('boats', { sql_table: 'boats', accessPolicy: rules(), measures: { n: { type: 'count' } } });", []string{
			"1: dropped cube key boats.access_policy: line 1: the call rules(…) is a program, which is not read",
			"1: approximated cube boats: the cube boats is restricted in Cube by access_policy, and here it is not",
			"1: approximated measure boats.n: the cube boats is restricted in Cube by access_policy, and here it is not",
		}},
	} {
		t.Run(c.of, func(t *testing.T) {
			result, err := readFile("f.js", c.text, "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, placesOf(result)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestRead_JavaScriptWithAMistakeIsRefusedWithItsLine(t *testing.T) {
	for text, line := range map[string]int{
		"cube('a', {\n  sql_table: 'a',\n  measures: { n: { type: 'count' }\n": 4,
		"cube('a', {\n  sql_table 'a' });":                                     2,
		"\n\nconst x: string = 'typed';":                                       3,
		"cube('a\x00', {});":                                                   1,
		strings.Repeat("[", 5000):                                              1,
	} {
		_, err := readFile("f.js", text, "")
		var refused *importer.Error
		if !errors.As(err, &refused) || refused.Line != line {
			t.Errorf("%.30q: %v, want line %d", text, err, line)
		}
	}
	if _, err := readFile("f.js", "const only = 'a program';", ""); err == nil || !strings.Contains(err.Error(), "f.js:1: file f.js: line 1: a program is not read") {
		t.Errorf("%v", err)
	}
}

// What a running Cube prints has the SQL of its files as texts of JavaScript, and lacks tables and windows.
func TestRead_TheCubesOfARunningCube(t *testing.T) {
	result, err := readFile("meta.json", `{"cubes": [
 {"name": "boats", "type": "cube", "title": "Boats", "isVisible": true, "public": true, "connectedComponent": 1, "fileName": "boats.js",
  "measures": [
   {"name": "boats.seats", "title": "Boats Seats", "shortTitle": "Seats", "type": "number", "aggType": "sum", "cumulative": false, "sql": "`+"`seats`"+`", "drillMembers": [], "isVisible": true, "public": true},
   {"name": "boats.large", "shortTitle": "Large ones", "type": "number", "aggType": "count", "filters": [{"sql": "`+"`${CUBE}.seats > 5`"+`"}]},
   {"name": "boats.mean", "shortTitle": "Mean", "type": "number", "aggType": "number", "sql": "`+"`${seats} / ${large}`"+`"},
   {"name": "boats.lately", "shortTitle": "Lately", "type": "number", "aggType": "sum", "cumulative": true, "sql": "'seats'"},
   {"name": "boats.made", "shortTitle": "Made", "type": "number", "aggType": "sum", "sql": "make('x')"}],
  "dimensions": [
   {"name": "boats.boat_id", "shortTitle": "Boat Id", "type": "number", "primaryKey": true, "sql": "'boat_id'"},
   {"name": "boats.town", "shortTitle": "Town", "type": "string", "primaryKey": false, "sql": "`+"`${harbours.town}`"+`"}],
  "segments": [{"name": "boats.fast", "sql": "`+"`${CUBE}.knots > 20`"+`"}],
  "joins": [{"name": "harbours", "relationship": "belongsTo", "sql": "`+"`${CUBE}.harbour_id = ${harbours.harbour_id}`"+`"}]},
 {"name": "ferries", "type": "cube", "isVisible": true, "connectedComponent": 1, "extends": "boats", "sql": "`+"`SELECT * FROM ferries`"+`",
  "measures": [{"name": "ferries.seats", "shortTitle": "Seats", "aggType": "sum"}, {"name": "ferries.large", "shortTitle": "Large ones", "aggType": "count"}],
  "dimensions": [{"name": "ferries.boat_id", "shortTitle": "Boat Id", "type": "number", "primaryKey": true}], "segments": []},
 {"name": "harbours", "type": "cube", "isVisible": true, "connectedComponent": 1, "sql": "`+"`SELECT * FROM harbours`"+`", "measures": [],
  "dimensions": [{"name": "harbours.harbour_id", "shortTitle": "Harbour Id", "type": "number", "primaryKey": true, "sql": "`+"`harbour_id`"+`"},
   {"name": "harbours.town", "shortTitle": "Town", "type": "string", "sql": "`+"`town`"+`"}]},
 {"name": "all_boats", "type": "view", "isVisible": true}]}`, "sea.main")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"2: approximated cube boats: its table is not in the input, and is taken to be sea.main.boats",
		"4: approximated measure boats.seats: it is renamed: another cube has a measure of the same name",
		"6: approximated measure boats.mean: the document lacks the stages and time shifts of measures",
		"7: dropped measure boats.lately: it has a rolling window, which the document does not have",
		"8: dropped measure boats.made: line 8: the call make(…) is a program, which is not read",
		"15: dropped measure ferries.large: it may be the measure of boats, which it extends, or one that counts all rows",
		"15: approximated measure ferries.seats: it is renamed: another cube has a measure of the same name",
		"20: dropped view all_boats: the document lacks the join paths of views",
	}
	if diff := cmp.Diff(want, placesOf(result)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, part := range []string{"source: sea.main.boats\n", "source: SELECT * FROM ferries\n", "expression: SUM(ferries.seats)", "CASE WHEN (seats > 5) THEN 1 END", "boats_harbours.town"} {
		if !strings.Contains(string(result.Model), part) {
			t.Errorf("no %s in\n%s", part, result.Model)
		}
	}
}

// FuzzReadJavaScript: any text is rejected with an error of the importer, or imported as a model that compiles.
func FuzzReadJavaScript(f *testing.F) {
	f.Add(ferriesJavaScript)
	f.Add("cube('a', { sql_table: 'a', ...b, measures: { n: { sql: `\\x41${CUBE.x}`, type: 'sum' }, [m]: 1 } }); // end\n/* c */ view('v', {})")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := readFile("f.js", text, "")
		if refused := (*importer.Error)(nil); err != nil && !errors.As(err, &refused) {
			t.Errorf("%v", err)
		}
	})
}
