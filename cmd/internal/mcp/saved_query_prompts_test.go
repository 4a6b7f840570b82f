package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
)

// promptEngine has a saved query of each kind with questions, one without, and more than a page of others.
func promptEngine(t *testing.T) *engine.Engine {
	t.Helper()
	var more strings.Builder
	for i := range 60 {
		fmt.Fprintf(&more, `{"name":"again_%02d","questions":["How much, again %d?"],"query":{"metrics":["revenue"]}},`, i, i)
	}
	text := strings.Replace(savedModel, `"queries":[`, `"queries":[`+more.String(), 1)
	text = strings.Replace(text, `"name":"by_region",`, `"name":"by_region","description":"Sales of some size.","questions":["What is the revenue by region?","Revenue of large sales?"],`, 1)
	text = strings.Replace(text, `"name":"largest",`, `"name":"largest","questions":["Which sale is the largest?"],`, 1)
	text = strings.Replace(text, `"name":"january",`, `"name":"january","questions":["Why did the revenue fall?"],`, 1)
	text = strings.Replace(text, `{"name":"by_region",`, `{"name":"typed","questions":["Typed?"],"params":[{"name":"d","type":"date"},{"name":"flag","type":"bool","default":true},{"name":"word","type":"string","allowed":["east","west"]}],`+
		`"query":{"metrics":["revenue"],"where_sql":"sales.region = :word AND sales.day >= :d AND :flag"}},{"name":"by_region",`, 1)
	text = strings.Replace(text, `{"name":"by_region",`, `{"name":"unasked","query":{"metrics":["revenue"]}},{"name":"by_region",`, 1)
	e, err := engine.Open(t.Context(), engine.Config{Drivers: warehouses.Drivers(), ModelPath: "sales.yaml", ModelText: []byte(text), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if failed := e.CompileErrors(); len(failed) > 0 {
		t.Fatal(failed[0])
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestPrompts_ListSavedQueriesWithQuestions(t *testing.T) {
	e := promptEngine(t)
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport(t, server(e, mcp.Config{})))
			if session.InitializeResult().Capabilities.Prompts == nil {
				t.Error("the capability is not announced")
			}
			var names []string
			var found *sdk.Prompt
			pages, cursor := 0, ""
			for pages == 0 || cursor != "" {
				page, err := session.ListPrompts(t.Context(), &sdk.ListPromptsParams{Cursor: cursor})
				if err != nil {
					t.Fatal(err)
				}
				if len(page.Prompts) > 50 {
					t.Errorf("a page of %d", len(page.Prompts))
				}
				for _, p := range page.Prompts {
					names = append(names, p.Name)
					if p.Name == "by_region" {
						found = p
					}
				}
				pages, cursor = pages+1, page.NextCursor
			}
			if pages != 2 || len(names) != 64 || slices.Contains(names, "unasked") {
				t.Errorf("%d pages, %d prompts: %v", pages, len(names), names)
			}
			want := &sdk.Prompt{
				Name: "by_region", Title: "What is the revenue by region?", Description: "Sales of some size.",
				Arguments: []*sdk.PromptArgument{{Name: "least", Description: "int, at least 0, at most 100", Required: true}},
			}
			if d := cmp.Diff(want, found); d != "" {
				t.Error(d)
			}
		})
	}
}

// The call of a prompt works as it is written.
func TestPrompts_GiveCallThatWorks(t *testing.T) {
	session := direct(t, promptEngine(t), mcp.Config{})
	for _, c := range []struct {
		name      string
		arguments map[string]string
		text      string
	}{
		{"by_region", map[string]string{"least": "5"}, "What is the revenue by region?\n(least = 5)\n\nCall the tool run_query with {\"saved\":\"by_region\",\"params\":{\"least\":5}}"},
		{"largest", nil, "Which sale is the largest?\n\nCall the tool select with {\"saved\":\"largest\"}"},
		{"january", nil, "Why did the revenue fall?\n\nCall the tool attribute_metric with {\"saved\":\"january\"}"},
		{
			"typed",
			map[string]string{"d": "2024-01-02", "word": "east", "flag": "true"},
			"Typed?\n(d = 2024-01-02, flag = true, word = east)\n\nCall the tool run_query with {\"saved\":\"typed\",\"params\":{\"d\":\"2024-01-02\",\"flag\":true,\"word\":\"east\"}}",
		},
	} {
		got, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: c.name, Arguments: c.arguments})
		if err != nil {
			t.Error(c.name, err)
			continue
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		if d := cmp.Diff(c.text, text); d != "" || len(got.Messages) != 1 || got.Messages[0].Role != "user" {
			t.Error(c.name, d)
		}
		_, call, _ := strings.Cut(text, "Call the tool ")
		tool, arguments, _ := strings.Cut(call, " with ")
		if text, _, result := callTool(t, session, tool, arguments); result.IsError || !strings.Contains(text, `"saved":"`+c.name+`"`) {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

func TestPrompts_RefuseWithErrorOfEngine(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport(t, server(promptEngine(t), mcp.Config{})))
			for _, c := range []struct {
				name      string
				arguments map[string]string
				code      string
			}{
				{"by_regoin", nil, "unknown_saved_query"},
				{"by_region", nil, "param_out_of_domain"},
				{"by_region", map[string]string{"least": "101"}, "param_out_of_domain"},
				{"by_region", map[string]string{"least": "many"}, "param_out_of_domain"},
				{"by_region", map[string]string{"least": "5", "most": "7"}, "unknown_metric_param"},
				{"typed", map[string]string{"d": "yesterday", "word": "east"}, "param_out_of_domain"},
				{"typed", map[string]string{"d": "2024-01-01", "word": "north"}, "param_out_of_domain"},
				{"typed", map[string]string{"d": "2024-01-01", "word": "east' OR 1 = 1"}, "param_out_of_domain"},
				{"typed", map[string]string{"d": "2024-01-01", "word": "east", "flag": "yes"}, "param_out_of_domain"},
			} {
				_, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: c.name, Arguments: c.arguments})
				var wire *jsonrpc.Error
				if !errors.As(err, &wire) || wire.Code != -32602 {
					t.Errorf("%s %v: %v", c.name, c.arguments, err)
					continue
				}
				var data planerr.Error
				if err := json.Unmarshal(wire.Data, &data); err != nil || data.Code != c.code || data.Message == "" {
					t.Errorf("%s %v: %s", c.name, c.arguments, wire.Data)
				}
			}
			if _, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "unasked"}); err == nil {
				t.Error("a saved query without questions is a prompt")
			}
		})
	}
}

func TestPrompts_AreNotAnnouncedWithoutQuestions(t *testing.T) {
	if p := direct(t, savedEngine(t), mcp.Config{}).InitializeResult().Capabilities.Prompts; p != nil {
		t.Error(p)
	}
}

func TestResources_HaveInstructionsSavedQueriesAndMetrics(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport(t, server(savedEngine(t), mcp.Config{})))
			read := func(uri string) string {
				got, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
				if err != nil {
					t.Fatal(uri, err)
				}
				return got.Contents[0].Text
			}
			if text := read("semlayer://instructions"); text != session.InitializeResult().Instructions {
				t.Error(text)
			}
			if d := cmp.Diff(`{"metrics":["revenue"],"group_by":[{"field":"sales.region"}],"where_sql":"sales.amount >= :least","order_by":[{"key":"region"}]}`,
				compactJSON(t, read("semlayer://saved/by_region"))); d != "" {
				t.Error(d)
			}
			want, _, _ := callTool(t, session, "describe_metric", `{"metric":"revenue"}`)
			if d := cmp.Diff(want, read("semlayer://metrics/revenue")); d != "" {
				t.Error(d)
			}
			listed, err := session.ListResources(t.Context(), nil)
			if err != nil || len(listed.Resources) != 2 {
				t.Errorf("%v %v", listed, err)
			}
			for _, uri := range []string{"semlayer://saved/nothing", "semlayer://metrics/revenu", "semlayer://metrics/%zz", "semlayer://saved/", "semlayer://secrets", "file:///etc/passwd"} {
				if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
					t.Errorf("%s is a resource", uri)
				}
			}
		})
	}
}

func compactJSON(t *testing.T, text string) string {
	t.Helper()
	var v json.RawMessage
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(v), ", ", ",")
}
