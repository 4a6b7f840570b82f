package parse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit_CutsBehindSemicolonsOutsideOfQuotesAndComments(t *testing.T) {
	text := "SELECT ';' AS \"a;\"; -- ;\nSELECT `;`, $$;$$, E'\\';', $x$;$x$ /* ; /* ; */ ; */;;\nSELECT € 1; SELECT 'open;"
	want := []string{
		"SELECT ';' AS \"a;\";", " -- ;\nSELECT `;`, $$;$$, E'\\';', $x$;$x$ /* ; /* ; */ ; */;", ";", "\nSELECT € 1;", " SELECT 'open;",
	}
	var got []string
	for complete := true; complete; {
		var statement string
		if statement, text, complete = SplitFirstStatement(text); statement != "" {
			got = append(got, statement)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got)\n%s", diff)
	}
}

func TestSplit_ReportsAStatementWithoutAnEnd(t *testing.T) {
	for _, text := range []string{"", "SELECT 1", "SELECT ';", "SELECT $$ ;", "SELECT /* ;", "SELECT \";\n"} {
		if statement, rest, complete := SplitFirstStatement(text); statement != text || rest != "" || complete {
			t.Errorf("%q is cut into %q and %q, complete %v", text, statement, rest, complete)
		}
	}
}
