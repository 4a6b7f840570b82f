package restapi_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// One metric of this model reads a column that is not a field, and one key is unknown.
const modelWithFindings = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: sales
    fields: [{name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]
    an_unknown_key: 1
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
  - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amuont)}]}}
`

func TestModelMetrics_CountFindingsAndNameTheRevision(t *testing.T) {
	open := func(c engine.Config) (*engine.Engine, *restapi.Server) {
		c.Drivers = drivers()
		e, err := engine.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return e, serve(t, e, restapi.Config{})
	}
	sum := sha256.Sum256([]byte(modelWithFindings + "vendor"))
	for _, policies := range [][]byte{nil, []byte("version: 1\nroles: {admin: {all: true}}")} { // the numbers are those of the author
		_, s := open(engine.Config{ModelText: []byte(modelWithFindings), PoliciesText: policies})
		got := scrape(t, s)
		for _, c := range []struct {
			name   string
			want   float64
			labels []string
		}{
			{"semlayer_model_errors", 1, nil},
			{"semlayer_model_warnings", 1, nil},
			{"semlayer_model_info", 1, []string{"revision", hex.EncodeToString(sum[:])[:12]}},
		} {
			if v := value(got, c.name, c.labels...); v != c.want || got[c.name] == nil {
				t.Errorf("%q: %s%v: %v, want %v", policies, c.name, c.labels, v, c.want)
			}
		}
	}
	vendor, _ := open(engine.Config{ModelText: []byte(modelWithFindings)})
	basic, _ := open(engine.Config{ModelText: []byte(modelWithFindings), Basic: true})
	other, _ := open(engine.Config{ModelText: []byte(modelWithFindings + "# a comment\n")})
	if vendor.Revision() == basic.Revision() || vendor.Revision() == other.Revision() {
		t.Error("the revision does not depend on text and mode", vendor.Revision(), basic.Revision(), other.Revision())
	}
}
