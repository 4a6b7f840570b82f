package profile

import "strings"

// warehouseType is one type of warehouse: how entries name it, what it speaks, and how
// its keys are read.
type warehouseType struct {
	name    string
	aliases []string
	dialect string
	scheme  string // of its URIs; empty when it has none
	read    func(*profileReader) WarehouseSettings
}

func warehouseTypes() []warehouseType {
	return []warehouseType{
		{"duckdb", nil, "duckdb", "", readDuckDBSettings},
		{"sqlite", nil, "sqlite", "", readSQLiteSettings},
		{"postgres", []string{"postgresql"}, "postgres", postgresScheme, readPostgresWithSession},
		{"greenplum", nil, "postgres", postgresScheme, readPostgresWithSession},
		{"hologres", nil, "postgres", postgresScheme, readPostgresSettings},
		{"gaussdb", nil, "postgres", postgresScheme, readPostgresSettings},
		{"dws", nil, "postgres", postgresScheme, readPostgresSettings},
		{"redshift", nil, "redshift", postgresScheme, readPostgresSettings},
		{"cockroachdb", nil, "postgres", postgresScheme, readPostgresSettings},
		{"mysql", nil, "mysql", mysqlScheme, mysqlProfileReader{port: 3306}.readSettings},
		{"mariadb", nil, "mariadb", mysqlScheme, mysqlProfileReader{port: 3306}.readSettings},
		{"tidb", nil, "tidb", mysqlScheme, mysqlProfileReader{port: 4000}.readSettings},
		{"starrocks", nil, "starrocks", mysqlScheme, mysqlProfileReader{port: 9030, catalogs: true}.readSettings},
		{"doris", nil, "doris", mysqlScheme, mysqlProfileReader{port: 9030, catalogs: true}.readSettings},
		{"clickhouse", nil, "clickhouse", "", readClickHouseSettings},
		{"trino", nil, "trino", "", readTrinoSettings},
		{"snowflake", nil, "snowflake", "", readSnowflakeSettings},
		{"bigquery", nil, "bigquery", "", readBigQuerySettings},
		{"databricks", nil, "databricks", "", readDatabricksSettings},
	}
}

// WarehouseTypeDescription describes one type of warehouse.
type WarehouseTypeDescription struct {
	Name    string
	Aliases []string
	Dialect string
	// Keys of an entry of this type, beside type and default.
	Keys []string
	// KeyTypes describes these keys, in the same order.
	KeyTypes []KeyDescription
	// Settings is a value of the type's struct, for a type switch.
	Settings WarehouseSettings
}

// DescribeWarehouseTypes lists the types in the order of the documentation.
func DescribeWarehouseTypes() []WarehouseTypeDescription {
	var out []WarehouseTypeDescription
	for _, k := range warehouseTypes() {
		r := &profileReader{}
		s := k.read(r)
		out = append(out, WarehouseTypeDescription{k.name, k.aliases, k.dialect, r.known, r.keyDescriptions(), s})
	}
	return out
}

func findWarehouseType(name string) (warehouseType, bool) {
	for _, k := range warehouseTypes() {
		if strings.EqualFold(k.name, name) {
			return k, true
		}
		for _, a := range k.aliases {
			if strings.EqualFold(a, name) {
				return k, true
			}
		}
	}
	return warehouseType{}, false
}

func warehouseTypeNames() []string {
	var out []string
	for _, k := range warehouseTypes() {
		out = append(append(out, k.name), k.aliases...)
	}
	return out
}

// isSchemeOfFamily reports whether a URI's scheme names a type of the family. The name
// of a driver may follow it, as in mysql+pymysql.
func isSchemeOfFamily(scheme, family string) bool {
	name, _, _ := strings.Cut(scheme, "+")
	k, ok := findWarehouseType(name)
	return ok && k.scheme == family
}
