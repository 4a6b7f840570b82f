package planerr_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/planner/planerr"
)

// An error has a stable code, which the registry describes, and a form for the wire.
func Example() {
	text, err := json.Marshal(&planerr.Error{
		Code: planerr.CodeUnknownMetric, Message: "there is no metric revenu", Candidates: []string{"revenue"},
		SuggestedRetry: `{"metrics":["revenue"]}`,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	info, ok := planerr.Lookup(planerr.CodeUnknownMetric)
	fmt.Println(info.Code, ok)
	// Output:
	// {"code":"unknown_metric","message":"there is no metric revenu","candidates":["revenue"],"suggested_retry":"{\"metrics\":[\"revenue\"]}"}
	// unknown_metric true
}
