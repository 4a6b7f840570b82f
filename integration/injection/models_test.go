package injection_test

import (
	"net/http"
	"strings"
	"testing"
)

// modelTemplates returns models to be judged that have a text «text» in the place of one of
// their own. JSON is YAML.
func modelTemplates() map[string]string {
	const sound = `{"version":"0.2.0.dev0","semantic_model":[{"name":"m","datasets":[{"name":"d","source":"d","primary_key":["id"],` +
		`"fields":[{"name":"id","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"id"}]}},` +
		`{"name":"f","datatype":"String","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"UPPER(c)"}]}}]}],` +
		`"relationships":[{"name":"r","from":"d","to":"d","from_columns":["id"],"to_columns":["id"]}],` +
		`"metrics":[{"name":"n","description":"words","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"COUNT(d.f)"}]},` +
		`"custom_extensions":[{"vendor_name":"SEMLAYER","data":"{\"v\":\"1.9\",\"derive\":{\"type\":\"filter\",\"base\":\"n\",\"where\":\"f = 'x'\"}}"}]}]}]}`
	out := map[string]string{}
	for place, own := range map[string]string{
		"version": `"0.2.0.dev0"`, "name of the model": `"m"`, "name of a dataset": `"name":"d"`, "source": `"source":"d"`, "key": `["id"],"fields"`,
		"name of a field": `"name":"f"`, "dialect": `"ANSI_SQL"`, "expression of a field": `"UPPER(c)"`, "type": `"String"`, "name of a relationship": `"r"`,
		"column of a relationship": `"from_columns":["id"]`, "name of a metric": `"name":"n"`, "description": `"words"`, "expression of a metric": `"COUNT(d.f)"`,
		"argument of a metric": `COUNT(d.f)`, "vendor": `"SEMLAYER"`, "extension": `"{\"v\":\"1.9\",\"derive\":{\"type\":\"filter\",\"base\":\"n\",\"where\":\"f = 'x'\"}}"`,
	} {
		i := strings.LastIndexByte(own, ':') + 1
		if strings.HasPrefix(own, `"{`) {
			i = 0
		}
		with := own[:i] + `"«text»"`
		switch {
		case strings.HasPrefix(own[i:], "["):
			with = own[:i] + strings.Replace(own[i:], `"id"`, `"«text»"`, 1)
		case place == "argument of a metric":
			with = `COUNT(«text»)`
		}
		out[place] = strings.Replace(sound, own, with, 1)
	}
	out["condition of an extension"] = strings.Replace(sound, "f = 'x'", "«condition»", 1)
	out["whole"] = "«whole»"
	return out
}

// checkModels has models judged that hold the texts. Nothing of them may reach an
// engine, the sources and expressions neither.
func (h *testServer) checkModels(t *testing.T, n *tally) {
	h.takeStatements(t)
	i, valid := 0, 0
	for place, model := range modelTemplates() {
		if !strings.Contains(model, "«") {
			t.Fatalf("nothing stands in the place of %s", place)
		}
		n.inputs++
		i++
		for j, x := range texts() {
			if !isLongForm() && (i+j)%4 != 0 {
				continue
			}
			// A string in the model is a string in a string of the body, and one in a
			// payload has another around it.
			raw := x.forms(t).raw
			inModel := quoted(t, raw)
			whole := strings.NewReplacer("«whole»", raw, "«text»", inModel, "«condition»", quoted(t, inModel)).Replace(quoted(t, model))
			a := h.sendChecked(t, n, place+", "+x.name, request{path: "/v1/validate", body: `{"model":"` + whole + `"}`})
			if a.status != http.StatusOK && a.status != http.StatusBadRequest {
				t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
			}
			if strings.Contains(a.text, `"valid":true`) {
				valid++
			}
		}
	}
	if valid == 0 {
		t.Error("no model is valid: the texts are not where they should be")
	}
	if sent := h.takeStatements(t); len(sent) > 0 {
		t.Errorf("the engine was sent %q", sent)
	}
}
