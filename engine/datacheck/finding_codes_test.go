package datacheck_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/datacheck"
)

func TestCodes_RegistryMatchesContract(t *testing.T) {
	var got []string
	for _, info := range datacheck.Codes() {
		if info.When == "" || info.Since == "" || info.Stage != "validate" || !datacheck.IsDataFindingCode(info.Code) {
			t.Errorf("%+v is incomplete", info)
		}
		got = append(got, strings.TrimSpace(string(info.Severity)+" "+info.Code+" "+strings.Join(info.Extras, ",")))
	}
	want := []string{
		"error source_not_found candidates", "error column_not_found candidates", "error expression_rejected",
		"warning datatype_mismatch candidates", "error key_not_unique", "warning key_has_null", "warning relationship_unmatched",
		"error cardinality_wrong", "warning overlapping_validity", "error period_not_whole", "error time_format_mismatch", "warning ambiguous_days", "warning granularity_mismatch", "warning check_incomplete",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if datacheck.IsDataFindingCode("parse") || datacheck.IsDataFindingCode("") {
		t.Error("a code of another registry is one of data")
	}
}

func TestOptions_RefuseUnknownCodes(t *testing.T) {
	for _, skip := range [][]string{nil, {"key_not_unique"}, {"key_not_unique", "check_incomplete", "key_not_unique"}} {
		if err := (datacheck.Options{Skip: skip}).RejectUnknownSkipCodes(); err != nil {
			t.Errorf("%q: %v", skip, err)
		}
	}
	for _, code := range []string{"", "parse", "KEY_NOT_UNIQUE", "key_not_unique,key_has_null", strings.Repeat("key ", 10000), "key\x1b[2J"} {
		err := (datacheck.Options{Skip: []string{"key_has_null", code}}).RejectUnknownSkipCodes()
		var unknown *datacheck.UnknownCodeError
		if !errors.As(err, &unknown) || unknown.Code != code || len(unknown.Candidates) == 0 || !slices.ContainsFunc(unknown.Candidates, datacheck.IsDataFindingCode) {
			t.Errorf("%.40q: %v", code, err)
			continue
		}
		if text := err.Error(); len(text) > 500 || strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%.40q: the message is %.600q", code, text)
		}
	}
}
