package profile_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/profile"
)

func TestVariables_ReplacedInValues(t *testing.T) {
	env := variables(map[string]string{
		"HOST": "db1", "PORT": "6543", "EMPTY": "", "TRICKY": "a: {b}\n${HOST} # \"'", "_x9": "under",
	})
	tests := []struct{ written, want, fails string }{
		{"plain", "plain", ""},
		{"${HOST}", "db1", ""},
		{"x-${HOST}.${HOST}-y", "x-db1.db1-y", ""},
		{"${_x9}", "under", ""},
		{"${NOPE:-fallback}", "fallback", ""},
		{"${NOPE:-}", "", ""},
		{"${NOPE:-a:-b}", "a:-b", ""},
		{"${HOST:-fallback}", "db1", ""},
		{"${EMPTY:-fallback}", "fallback", ""},
		{"${EMPTY}", "", ""},
		{"${TRICKY}", "a: {b}\n${HOST} # \"'", ""},
		{"$HOST $$ {HOST} $", "$HOST $$ {HOST} $", ""},
		{"${NOPE}", "", "needs the variable NOPE, which is not set"},
		{"${HOST}${NOPE}", "", "needs the variable NOPE, which is not set"},
		{"${HOST", "", "not of the form"},
		{"${}", "", "not of the form"},
		{"${9}", "", "not of the form"},
		{"${a-b}", "", "not of the form"},
		{"${ HOST }", "", "not of the form"},
		{"${NOPE:-${HOST}}", "", "not of the form"},
	}
	for _, tt := range tests {
		t.Run(tt.written, func(t *testing.T) {
			p, _ := entry(t, "type: postgres\nhost: h\npassword: '"+tt.written+"'", env)
			if tt.fails != "" {
				if e := wantConfig(t, p.Err); !strings.Contains(e.Message, "used: password ") || !strings.Contains(e.Message, tt.fails) {
					t.Errorf("%v", e)
				}
				return
			}
			if p.Err != nil {
				t.Fatal(p.Err)
			}
			if got := p.Settings.(*profile.Postgres).Password.Reveal(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestVariables_InNumbersAndTypes(t *testing.T) {
	env := variables(map[string]string{"TYPE": "mysql", "PORT": " 6543 ", "NAME": "x"})
	p, warnings := entry(t, "type: ${TYPE}\nhost: h\nport: ${PORT}\ndefault: ${YES:-true}\nother: ${UNSET}", env)
	if p.Err != nil || p.Type != "mysql" || !p.Default || p.Settings.(*profile.MySQL).Port != 6543 {
		t.Errorf("%+v", p)
	}
	if len(warnings) != 1 {
		t.Errorf("a variable in a key that nobody reads: %v", warnings)
	}
	if p, _ := entry(t, "type: ${NOPE}\nhost: h", env); !strings.Contains(wantConfig(t, p.Err).Message, "type needs the variable NOPE") {
		t.Errorf("%v", p.Err)
	}
}
