package executor_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
)

func TestError_MarshalsWithoutCause(t *testing.T) {
	tests := []struct {
		name string
		err  executor.Error
		want string
	}{
		{"without hint", executor.Error{Code: "auth", Message: "no"}, `{"code":"auth","message":"no"}`},
		{"with hint and cause", executor.Error{Code: "config", Message: "m", Hint: "h", Err: io.ErrClosedPipe}, `{"code":"config","message":"m","hint":"h"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(&tt.err)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

func TestError_IsByCodeAndCause(t *testing.T) {
	err := fmt.Errorf("outer: %w", &executor.Error{Code: executor.CodeTimeout, Message: "late", Err: io.ErrUnexpectedEOF})
	var coded interface {
		error
		ErrorCode() string
	}
	if !errors.As(err, &coded) || coded.ErrorCode() != "timeout" {
		t.Fatalf("no code in %v", err)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal("the cause is lost")
	}
}

func TestCodes_RegistryListsEachOnce(t *testing.T) {
	var got []string
	for _, c := range executor.Codes() {
		if c.When == "" || c.Since == "" {
			t.Errorf("%s: incomplete entry", c.Code)
		}
		got = append(got, c.Code)
	}
	want := []string{"config", "connection", "auth", "sql_rejected", "driver", "timeout", "memory_limit", "result_too_large", "cost_limit_exceeded", "internal"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestSecret_NeverPrinted(t *testing.T) {
	const text = "hunter2"
	type profile struct{ Password executor.Secret }
	p := profile{executor.NewSecret(text)}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "p", p, "s", p.Password)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "p", p, "s", p.Password)
	marshalled, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Join([]string{
		fmt.Sprint(p), fmt.Sprintf("%v %+v %#v %s %q %x %d", p, p, p, p.Password, p.Password, p.Password, p.Password),
		fmt.Sprintf("%v %x", &p, p), p.Password.String(), p.Password.GoString(), log.String(), string(marshalled),
	}, "\n")
	if strings.Contains(shown, text) || strings.Contains(shown, fmt.Sprintf("%x", text)) {
		t.Fatalf("the secret shows:\n%s", shown)
	}
	if p.Password.Reveal() != text || p.Password.IsZero() || !(executor.Secret{}).IsZero() {
		t.Fatal("the secret is lost")
	}
}

func TestField_CarriesKind(t *testing.T) {
	tests := []struct {
		field arrow.Field
		want  executor.TextKind
	}{
		{executor.NewField("a", arrow.BinaryTypes.String, executor.TextKindPlain), executor.TextKindPlain},
		{executor.NewField("a", arrow.BinaryTypes.String, executor.TextKindDecimal), executor.TextKindDecimal},
		{executor.NewField("a", arrow.BinaryTypes.String, executor.TextKindJSON), executor.TextKindJSON},
		{arrow.Field{Name: "a", Type: arrow.BinaryTypes.String}, executor.TextKindPlain},
	}
	for _, tt := range tests {
		if got := executor.TextKindOfField(tt.field); got != tt.want {
			t.Errorf("kind %q, want %q", got, tt.want)
		}
	}
	if f := executor.NewField("a", arrow.PrimitiveTypes.Int64, executor.TextKindPlain); !f.Nullable || f.HasMetadata() {
		t.Fatalf("field %v: want nullable, without metadata", f)
	}
}
