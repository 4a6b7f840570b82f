package restapi_test

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

func TestSchema_NeedsNoTokenAndHasAValidator(t *testing.T) {
	want, err := engine.FileSchema(engine.SchemaModel)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, orders(t), restapi.Config{Tokens: []string{"t"}})
	first := do(t, s, request(http.MethodGet, "/schema/model.json", ""))
	if first.status != http.StatusOK || !bytes.Equal([]byte(first.body), want) {
		t.Fatalf("%d: %.200s", first.status, first.body)
	}
	r := request(http.MethodGet, "/schema/model.json", "")
	r.Header.Set("If-None-Match", first.header.Get("ETag"))
	if again := do(t, s, r); again.status != http.StatusNotModified || len(again.body) != 0 {
		t.Errorf("%d with %d bytes", again.status, len(again.body))
	}
}
