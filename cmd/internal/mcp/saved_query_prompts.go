package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// toolNameByQueryKind are the tools that take a saved query of a kind.
var toolNameByQueryKind = map[string]string{"query": "run_query", "select": "select", "attribute": "attribute_metric"}

// savedQueryPrompt is a saved query with questions.
type savedQueryPrompt struct{ saved describe.SavedQuery }

// promptsOfSavedQueries returns the prompts of a model: the saved queries that have questions.
func promptsOfSavedQueries(saved []describe.SavedQuery) []savedQueryPrompt {
	var out []savedQueryPrompt
	for _, s := range saved {
		if len(s.Questions) > 0 {
			out = append(out, savedQueryPrompt{s})
		}
	}
	return out
}

func (p savedQueryPrompt) toSDKPrompt() *sdk.Prompt {
	out := &sdk.Prompt{Name: p.saved.Name, Title: p.saved.Questions[0], Description: p.saved.Description}
	for _, name := range slices.Sorted(maps.Keys(p.saved.Params)) {
		schema := p.saved.Params[name]
		out.Arguments = append(out.Arguments, &sdk.PromptArgument{Name: name, Description: promptArgumentDescription(schema), Required: schema.Required})
	}
	return out
}

// promptArgumentDescription returns the type and the domain of a parameter.
func promptArgumentDescription(s describe.ParamSchema) string {
	text := s.Type
	for _, part := range []struct {
		label string
		value any
	}{{"one of", s.Allowed}, {"at least", s.Min}, {"at most", s.Max}, {"by default", s.Default}} {
		if list, ok := part.value.([]any); part.value == nil || ok && len(list) == 0 {
			continue
		}
		if value, err := engine.MarshalWireJSON(part.value); err == nil {
			text += ", " + part.label + " " + strings.Trim(string(value), "[]")
		}
	}
	return text
}

// promptHandler returns one message: the question with its values, and the call to make.
func (s *server) promptHandler(p savedQueryPrompt) sdk.PromptHandler {
	return func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		bound, err := s.bindPromptArguments(ctx, p.saved.Name, r.Params.Arguments)
		if err != nil {
			return nil, s.invalidParamsError(err)
		}
		text, err := p.renderMessage(bound)
		if err != nil {
			return nil, s.invalidParamsError(err)
		}
		return &sdk.GetPromptResult{
			Description: p.saved.Description,
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
		}, nil
	}
}

// bindPromptArguments binds the arguments of a prompt within the budget of a request.
func (s *server) bindPromptArguments(ctx context.Context, name string, arguments map[string]string) ([]query.ParamBinding, error) {
	ctx, stop := contextUntilRequestEnds(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, s.config.RequestTimeout)
	defer cancel()
	return s.service.BindSavedQueryArguments(ctx, name, arguments)
}

// renderMessage returns the question, its values, and the call.
func (p savedQueryPrompt) renderMessage(bound []query.ParamBinding) (string, error) {
	call := struct {
		Saved  string                     `json:"saved"`
		Params map[string]json.RawMessage `json:"params,omitempty"`
	}{Saved: p.saved.Name}
	var values []string
	for _, b := range bound {
		value := b.Values[0]
		text := json.RawMessage(value.Text)
		if value.Kind == query.StringValue {
			quoted, err := engine.MarshalWireJSON(value.Text)
			if err != nil {
				return "", err
			}
			text = quoted
		}
		if call.Params == nil {
			call.Params = map[string]json.RawMessage{}
		}
		call.Params[b.Name] = text
		values = append(values, b.Name+" = "+value.Text)
	}
	arguments, err := engine.MarshalWireJSON(call)
	if err != nil {
		return "", err
	}
	text := p.saved.Questions[0]
	if len(values) > 0 {
		text += "\n(" + strings.Join(values, ", ") + ")"
	}
	return text + "\n\nCall the tool " + toolNameByQueryKind[p.saved.Kind] + " with " + string(arguments), nil
}

// addPromptErrorData returns a middleware that gives the error about the name of a prompt its data.
func (s *server) addPromptErrorData(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		get, ok := r.(*sdk.GetPromptRequest)
		var wire *jsonrpc.Error
		if !ok || !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || wire.Data != nil {
			return result, err
		}
		if _, unknown := s.bindPromptArguments(ctx, get.Params.Name, nil); unknown != nil {
			return nil, s.invalidParamsError(unknown)
		}
		return result, err // a saved query without questions
	}
}

// invalidParamsError returns an error of JSON-RPC whose data is the error of the engine.
func (s *server) invalidParamsError(err error) error {
	text := s.errorJSON("prompts/get", err)
	message := "the arguments of the prompt do not fit"
	var coded engine.CodedError
	if errors.As(err, &coded) {
		message = coded.Error()
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message, Data: json.RawMessage(text)}
}
