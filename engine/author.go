package engine

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
