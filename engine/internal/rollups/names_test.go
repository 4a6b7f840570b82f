package rollups

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestBuildNames_ShowTheirAgeAndFitEveryEngine(t *testing.T) {
	built := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"monthly", strings.Repeat("ä", 40)} {
		of := sqlexpr.Name{Text: text}
		for _, mark := range []string{newMark, oldMark} {
			made := newBuildName(of, mark, built).Text
			if len(made) > 63 { // the length of a name on PostgreSQL
				t.Errorf("%s has %d bytes", made, len(made))
			}
			if isLeftOver(made, of, built.Add(24*time.Hour)) || !isLeftOver(strings.ToUpper(made), of, built.Add(26*time.Hour)) {
				t.Errorf("%s: its age is not known", made)
			}
			if isLeftOver(made, sqlexpr.Name{Text: "weekly"}, built.Add(26*time.Hour)) {
				t.Errorf("%s is one of another table", made)
			}
		}
	}
	if name := "monthly" + newMark + "notahexa"; isLeftOver(name, sqlexpr.Name{Text: "monthly"}, built) {
		t.Errorf("%s is one of a build", name)
	}
}
