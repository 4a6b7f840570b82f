package engine

import (
	"context"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql"
)

// Reader asks a model with the rights of one identity: it has every verb of Engine. Datasets consist of the rows that the identity may
// see, and what is hidden from it does not exist.
type Reader struct{ *Engine }

// As returns the model as an identity sees it. The error has code forbidden: no role of the identity is known, or it lacks an attribute
// that its roles read. An engine without roles is the same for every caller.
func (e *Engine) As(ctx context.Context, id access.Identity) (*Reader, error) {
	p := e.enforcedRoles()
	if p == nil {
		return &Reader{e}, nil
	}
	if err := id.Check(p.policies); err != nil {
		return nil, err
	}
	seen, err := p.engineOfRoles(ctx, id.KnownRoles(p.policies))
	if err != nil {
		return nil, p.whole.toExecuteError(ctx, err)
	}
	attributes := sqlexpr.AttributeValues{}
	var key strings.Builder
	for _, name := range seen.rights.view.Needs {
		v, _ := id.Attribute(p.policies, name)
		if declared, ok := p.file.AttributeNamed(name); !ok || declared.Type != v.Type || declared.List != v.List {
			return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "the attribute " + name + " of the identity has another type than the policies declare"}
		}
		attributes[name] = sqlexpr.AttributeValue{List: v.List, Values: v.Literals()}
		key.WriteString(strconv.Quote(name) + "=" + string(v.Type))
		for _, item := range v.Items {
			key.WriteString("," + strconv.Quote(item))
		}
		key.WriteByte(0)
	}
	return &Reader{seen.forReader(id, attributes, key.String())}, nil
}

// AsClaims returns the model as an identity with these claims sees it, whose attributes get the types of the policies file. The error
// is that of As, or has code forbidden for an engine without a policies file.
func (e *Engine) AsClaims(ctx context.Context, c access.Claims) (*Reader, error) {
	p := e.enforced.Load()
	if p == nil {
		return nil, &access.ForbiddenError{Code: access.CodeForbidden, Message: "there are no policies: nothing decides what the identity sees", Hint: "open the engine with PoliciesPath or PoliciesText"}
	}
	return e.As(ctx, p.file.NewIdentity(c))
}

// AsCaller returns a service as the caller of ctx sees it: an Engine with roles in force as the Reader that access.WithIdentity names, any
// other service as it is. The error is that of Engine.As.
func AsCaller[S any](ctx context.Context, service S) (S, error) {
	e, ok := any(service).(*Engine)
	if !ok || e.enforcedRoles() == nil {
		return service, nil
	}
	id, _ := access.IdentityFrom(ctx)
	var none S
	reader, err := e.As(ctx, id)
	if err != nil {
		return none, err
	}
	return any(reader).(S), nil
}

// ViewKey is different for engines whose lists differ: those of other revisions of a model or its policies, and of readers with other
// roles.
func (e *Engine) ViewKey() string {
	if e.rights == nil {
		return e.revision + e.scopeKey()
	}
	return e.revision + e.scopeKey() + " " + e.rights.viewKey
}

// visible returns the engine whose lists are shown: with roles, nothing is visible without a reader.
func (e *Engine) visible() *Engine {
	if p := e.enforcedRoles(); p != nil {
		return p.nothing
	}
	return e
}

// forReader returns the engine for a reader with these attributes. It shares everything else.
func (e *Engine) forReader(id access.Identity, attributes sqlexpr.AttributeValues, key string) *Engine {
	model := e.statementModel
	return &Engine{
		config: e.config, revision: e.revision, loadedAt: e.loadedAt, issues: e.issues, failed: e.failed, vendors: e.vendors, expressions: e.expressions,
		cat: e.cat.ForReader(attributes), definitions: e.definitions, planner: e.planner.ForReader(attributes), describer: e.describer, warehouses: e.warehouses,
		hintTime: e.hintTime, log: e.log, statements: e.statements, index: e.index, indexedValues: e.indexedValues, viewLists: e.viewLists,
		statementModel: func() *semsql.Model { return model().ForReader(attributes) },
		rights:         &readerRights{view: e.rights.view, viewKey: e.rights.viewKey, policiesHash: e.rights.policiesHash, key: key, identity: id},
	}
}

// checkReader rejects requests without a sender: roles decide who sees what, and the engine is asked without a reader.
func (e *Engine) checkReader() error {
	if e.enforcedRoles() == nil {
		return nil
	}
	return &access.ForbiddenError{Code: access.CodeForbidden, Message: "the request has no identity", Hint: "ask the engine As an identity"}
}

// readerKey is different for readers whose statements differ.
func (e *Engine) readerKey() string {
	if e.rights == nil {
		return e.scopeKey()
	}
	return e.scopeKey() + "\x00" + strconv.Quote(e.rights.viewKey) + e.rights.key
}

// AuthorOf returns a service as the author of its model sees it: an Engine with roles in force without them, any other service as it is.
// Reports to the operator of a service read it.
func AuthorOf[S any](service S) S {
	e, ok := any(service).(*Engine)
	if !ok || e.enforcedRoles() == nil {
		return service
	}
	return any(e.AsAuthor()).(S)
}

// AsAuthor returns the whole model without the rights of readers, for tests of a model and for reports to the operator of a service.
// A caller whose rights the policies decide asks As. The engine of a reader stays that of the reader.
func (e *Engine) AsAuthor() *Reader {
	if e.enforcedRoles() == nil {
		return &Reader{e}
	}
	return &Reader{&Engine{
		config: e.config, revision: e.revision, loadedAt: e.loadedAt, issues: e.issues, cat: e.cat, definitions: e.definitions, failed: e.failed, vendors: e.vendors,
		expressions: e.expressions, planner: e.planner, describer: e.describer, statementModel: e.statementModel, index: e.index,
		indexedValues: e.indexedValues, viewLists: e.viewLists,
		statements: e.statements, warehouses: e.warehouses, generated: e.generated, hintTime: e.hintTime, log: e.log,
	}}
}
