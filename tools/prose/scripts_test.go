package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// groupsOfFindings maps each group of texts to the ids of its findings.
func groupsOfFindings(texts []ProseText) map[ProseTextKind][]string {
	out := map[ProseTextKind][]string{}
	for _, text := range texts {
		if found := ids(findPatternMatches(text)); found != nil {
			out[text.Group] = append(out[text.Group], found...)
		}
	}
	return out
}

func TestScripts_CommentsAndStringsAreRead(t *testing.T) {
	for _, c := range []struct {
		file, content string
		want          map[ProseTextKind][]string
	}{
		{"a/b.py", "\"\"\"The text is\nno file.\"\"\"\n# nobody # reads\nx = f\"it {said} tells 'whoever' that\"  #: stands\n",
			map[ProseTextKind][]string{GroupComments: {"is-no", "nobody", "stands"}, GroupMessages: {"whoever", "tells"}}},
		{"a/tests/b.py", "x = \"nobody reads\"\n", map[ProseTextKind][]string{}},
		{"a/b.ts", "/** load tells it */\nconst a = 'http://x // nobody', b = `of ${whoever} says` // is no file\n",
			map[ProseTextKind][]string{GroupComments: {"tells", "is-no"}, GroupMessages: {"nobody", "says"}}},
		{"a/b.test.ts", "test('it says so', () => {}) // nobody\n", map[ProseTextKind][]string{GroupComments: {"nobody"}}},
		{"Makefile", "# It is\n# no file.\ndemo: ## tell whoever asks\n", map[ProseTextKind][]string{GroupComments: {"is-no", "whoever", "tells"}}},
		{"a/b.sh", "echo ${#nobody} # whoever\n", map[ProseTextKind][]string{GroupComments: {"whoever"}}},
		{"deploy/NOTES.txt", "No token is set: {{ nobody }} whoever\nreaches it.\n", map[ProseTextKind][]string{GroupPages: {"whoever"}}},
		{"a/values.schema.json", `{"description": "whoever \"asks\"", "default": "nobody at all"}`, map[ProseTextKind][]string{GroupPages: {"whoever"}}},
		{"a/model.yaml", "name: nobody here\ndescription: Revenue, as it is told. # nobody\n", map[ProseTextKind][]string{GroupPages: {"nobody", "nobody", "tells"}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			texts, err := proseReaderOf(c.file)(c.file, c.content)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, groupsOfFindings(texts)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestScripts_LineIsThatOfTheMatch(t *testing.T) {
	texts := proseOfNonGoProgram("a.py", "x = 1\n\n# fine\n# the file is\n# no file\n", pythonTokenPattern, 1, 2, 5)
	if len(texts) != 1 {
		t.Fatalf("%+v", texts)
	}
	found := findPatternMatches(texts[0])
	if len(found) != 1 || found[0].Line != 4 {
		t.Errorf("%+v", found)
	}
}
