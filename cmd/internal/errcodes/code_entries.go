package errcodes

import (
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi"
)

// CodeEntry is one code of one stage.
type CodeEntry struct {
	engine.CodeInfo
	// Status is the HTTP status; 0 for codes in the body of a successful response: findings
	// of validation, and warnings; and for findings about policies.
	Status int `json:"http_status,omitempty"`
	// Example is nil for a code that is no longer raised.
	Example *Example `json:"example,omitempty"`
}

// All lists every code, stage by stage, those of the server last. A code may belong to
// several stages.
func All() []CodeEntry {
	var out []CodeEntry
	for _, c := range engine.Codes() {
		if c.Stage == engine.StageServer {
			continue // the server lists its own
		}
		e := CodeEntry{CodeInfo: c}
		if c.Stage != engine.StageValidate && c.Severity == "error" {
			e.Status = restapi.StatusOfCode(c.Code)
		}
		out = append(out, e)
	}
	for _, c := range access.Codes() { // findings, which no response has
		out = append(out, CodeEntry{CodeInfo: engine.CodeInfo{
			Code: c.Code, Stage: c.Stage, Severity: string(c.Severity), When: c.When, Extras: c.Extras, Since: c.Since,
		}})
	}
	for _, c := range restapi.Codes() {
		out = append(out, CodeEntry{Status: c.Status, CodeInfo: engine.CodeInfo{
			Code: c.Code, Stage: engine.StageServer, Severity: "error", When: c.When, Since: c.Since,
		}})
	}
	for i := range out {
		if x, ok := examplesByStageAndCode[out[i].Stage][out[i].Code]; ok {
			out[i].Example = &x
		}
	}
	return out
}

// Find returns the entries of a code, and where there are none the names of the nearest codes, and the one that was probably
// meant, "" where none is near.
func Find(code string) (found []CodeEntry, nearest []string, meant string) {
	var names []string
	for _, e := range All() {
		if e.Code == code {
			found = append(found, e)
		}
		names = append(names, e.Code)
	}
	if len(found) > 0 {
		return found, nil, ""
	}
	nearest = engine.NearestNames(strings.ToLower(code), names, maxNearest)
	if closest, ok := engine.ClosestName(strings.ToLower(code), names); ok {
		return nil, nearest, closest
	}
	for _, name := range names {
		if strings.HasPrefix(lettersOf(name), lettersOf(code)) { // fanout for fan_out_risk
			return nil, nearest, name
		}
	}
	return nil, nearest, ""
}

// maxNearest is how many codes Find offers.
const maxNearest = 3

// lettersOf returns a code in lower case without what separates its words.
func lettersOf(code string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(code))
}
