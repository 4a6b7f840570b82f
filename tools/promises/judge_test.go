package main

import "testing"

func TestFigure_JudgedByAim(t *testing.T) {
	for _, tc := range []struct {
		name  string
		f     figure
		row   string
		in    []string
		short bool
		text  string
		want  outcome
		miss  string
	}{
		{"as much as it may be", figure{aims: atMostAim(50)}, "", []string{"50"}, false, "50", held, ""},
		{"more, by little", figure{aims: atMostAim(1.1)}, "", []string{"1.104"}, false, "1.10", missed, "missed by less than 1 %"},
		{"more", figure{aims: atMostAim(1.1)}, "", []string{"1.21"}, false, "1.21", missed, "missed by 10 %"},
		{"many times as much", figure{aims: atMostAim(2)}, "", []string{"14.8"}, false, "14.8", missed, "missed: 7.40 times the target"},
		{"less than it has to be", figure{aims: atLeastAim(10_000)}, "", []string{"7500"}, false, "7,500", missed, "missed by 25 %"},
		{"none at all", figure{aims: exactAim(0)}, "", []string{"0"}, false, "0", held, ""},
		{"some where there may be none", figure{aims: exactAim(0)}, "", []string{"3"}, false, "3", missed, "missed by 3"},
		{"fewer than exactly", figure{aims: exactAim(48)}, "", []string{"47"}, false, "47", missed, "missed by 1"},
		{"without an aim", figure{unit: "/s"}, "", []string{"12345.6"}, false, "12,346 /s", informational, ""},
		{"of several, the largest", figure{aims: atMostAim(2)}, "", []string{"1", "3", "2"}, false, "3", missed, "missed by 50 %"},
		{"of several, the smallest", figure{of: smallestOfValues, aims: atMostAim(2)}, "", []string{"3", "1"}, false, "1", held, ""},
		{"of several, the median", figure{of: median, aims: atMostAim(2)}, "", []string{"9", "1", "2"}, false, "2", held, ""},
		{"of several, all", figure{of: sumOfValues, aims: atLeastAim(6)}, "", []string{"1", "3", "2"}, false, "6", held, ""},
		{"in another unit", figure{unit: "µs", scale: 1e-3, aims: atMostAim(50)}, "", []string{"16100"}, false, "16.1 µs", held, ""},
		{"the aim of its row", figure{aims: []aim{{bound: 50, row: "Q1"}, {bound: 150, row: "Q3"}}}, "Q3, 1000", []string{"60"}, false, "60", held, ""},
		{"a row without an aim", figure{aims: []aim{{bound: 50, row: "Q1"}}}, "Q2", []string{"60"}, false, "60", informational, ""},
		{"a short form has its own bound", figure{aims: withShortForm(atLeastAim(10_000), 100)}, "", []string{"200"}, true, "200", held, ""},
		{"a long form has not", figure{aims: withShortForm(atLeastAim(10_000), 100)}, "", []string{"200"}, false, "200", missed, "missed by 98 %"},
		{"no number", figure{aims: atMostAim(1)}, "", []string{"many"}, false, "many", failed, ""},
		{"words", figure{of: verbatim}, "", []string{"duckdb", "duckdb", "postgres"}, false, "duckdb, postgres", informational, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := tc.f.judge(tc.row, tc.in, tc.short)
			if c.text != tc.text || c.outcome != tc.want {
				t.Errorf("%q %v, want %q %v", c.text, c.outcome, tc.text, tc.want)
			}
			if c.miss() != tc.miss {
				t.Errorf("%q, want %q", c.miss(), tc.miss)
			}
		})
	}
}

func TestPromises_NoneLeftOut(t *testing.T) {
	x := promise{name: "p", rows: "^TestP$", figures: []figure{{name: "a", key: "a", aims: atMostAim(1)}, {name: "b", key: "b"}}}
	ran := func(failure string, events ...event) result {
		return result{Command: "go test", Failure: failure, Events: events}
	}
	for _, tc := range []struct {
		name string
		r    result
		want outcome
		why  string
	}{
		{"never measured", result{}, failed, "not measured yet"},
		{"the command failed, its figures are fine", ran("failed: TestP", event{"TestP", "a", "1"}, event{"TestP", "b", "1"}), failed, "failed: TestP"},
		{"no figures", ran(""), failed, "no figure: a"},
		{"one figure is missing", ran("", event{"TestP", "a", "1"}), failed, "no figure: b"},
		{"figures of another test", ran("", event{"TestQ", "a", "1"}, event{"TestQ", "b", "1"}), failed, "no figure: a"},
		{"missed", ran("", event{"TestP", "a", "2"}, event{"TestP", "b", "1"}), missed, ""},
		{"held", ran("", event{"TestP", "a", "1"}, event{"TestP", "b", "1"}), held, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if v := newVerdict(x, tc.r); v.outcome != tc.want || v.why != tc.why {
				t.Errorf("%v %q, want %v %q", v.outcome, v.why, tc.want, tc.why)
			}
		})
	}
}

func TestSpell_TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"ASafeGroupByNeverChangesTheTotal":   "a safe group by never changes the total",
		"TheSQLDoesNotDependOnTheOrder":      "the SQL does not depend on the order",
		"AListOfValuesIsEachValueByItself":   "a list of values is each value by itself",
		"AConditionItsNegationAndTheUnknown": "a condition its negation and the unknown",
	} {
		if got := splitWords(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
