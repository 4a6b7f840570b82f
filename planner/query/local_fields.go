package query

import "github.com/semlayer/semlayer/modelspec/limits"

// LocalField is a field that a query adds to a dataset.
type LocalField struct {
	Dataset    string    `json:"dataset"`
	Name       string    `json:"name"`
	Expression string    `json:"expression"`
	LOD        *LocalLOD `json:"lod,omitempty"`
	// Clock names the zone whose clock the field shows at the instant that the expression is, as AT TIME ZONE does; "" keeps the
	// instant. No body has it.
	Clock string `json:"-"`
}

// LocalLOD is the level of detail of a LocalField: its expression aggregates for each value
// of the fields Grain. Via are relationships that lead to the dataset.
type LocalLOD struct {
	Grain []string `json:"grain"`
	Where string   `json:"where,omitempty"`
	Via   []string `json:"via,omitempty"`
}

var localFieldKeyReaders = []keyReader[LocalField]{
	{bodyKey{"dataset", bodyKeyValueText, nil}, func(s *scanner, f *LocalField) error { return readNonEmptyName(s, &f.Dataset) }},
	{bodyKey{"name", bodyKeyValueText, nil}, func(s *scanner, f *LocalField) error { return s.readResultColumnName(&f.Name) }},
	{bodyKey{expressionKey, bodyKeyValueText, nil}, func(s *scanner, f *LocalField) error { return readNonEmptyText(s, &f.Expression) }},
	{bodyKey{"lod", bodyKeyValueFixedKeysObject, keysOfReaders(localLODKeyReaders)}, func(s *scanner, f *LocalField) error { return readLocalLOD(s, &f.LOD) }},
}

var localLODKeyReaders = []keyReader[LocalLOD]{
	{bodyKey{"grain", bodyKeyValueTextArray, nil}, func(s *scanner, l *LocalLOD) error {
		return readDistinctNonEmptyNames(s, &l.Grain, limits.QueryGroupBys)
	}},
	{bodyKey{"where", bodyKeyValueText, nil}, func(s *scanner, l *LocalLOD) error { return s.readText(&l.Where) }},
	{bodyKey{"via", bodyKeyValueTextArray, nil}, func(s *scanner, l *LocalLOD) error { return readDistinctNonEmptyNames(s, &l.Via, limits.QueryGroupBys) }},
}

const localFieldExample = `{"dataset": "orders", "name": "large", "expression": "amount > 100"}`

func readLocalFields(s *scanner, into *[]LocalField) error {
	return s.readArray(limits.QueryLocalFields, "an array of objects such as "+localFieldExample, func(int) error {
		var f LocalField
		if err := readObject(s, localFieldKeyReaders, &f); err != nil {
			return err
		}
		*into = append(*into, f)
		if err := s.requireKeyValue(f.Dataset, "a dataset", localFieldExample); err != nil {
			return err
		}
		if err := s.requireKeyValue(f.Name, "a name", localFieldExample); err != nil {
			return err
		}
		return s.requireKeyValue(f.Expression, "an expression", localFieldExample)
	})
}

func readLocalLOD(s *scanner, into **LocalLOD) error {
	if s.consumeNull() {
		return nil
	}
	*into = new(LocalLOD)
	if err := readObject(s, localLODKeyReaders, *into); err != nil {
		return err
	}
	if len((*into).Grain) == 0 {
		return badRequestError(s.pathText() + ` needs a grain, as in {"grain": ["customer_id"]}`)
	}
	return nil
}
