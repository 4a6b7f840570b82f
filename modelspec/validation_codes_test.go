package modelspec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

func TestCodes_RegistryMatchesContract(t *testing.T) {
	var got []string
	for _, info := range modelspec.Codes() {
		if info.When == "" || info.Since == "" || info.Stage != "validate" {
			t.Errorf("%+v is incomplete", info)
		}
		got = append(got, string(info.Severity)+" "+info.Code)
	}
	want := []string{
		"error unsupported_version", "error duplicate_name", "error empty_datasets", "error empty_columns",
		"error column_count_mismatch", "error unknown_dataset", "error unknown_column", "error missing_sql_dialect",
		"warning self_relationship", "warning relationship_target_not_unique",
		// Beyond the ten: the shape of the text itself.
		"error parse", "warning unknown_model_key",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
