package profile

import (
	"math"
	"strings"
)

func readClickHouseSettings(r *profileReader) WarehouseSettings {
	s := &ClickHouse{
		Host:           r.readRequiredText("host"),
		Username:       r.readText("username"),
		Password:       r.readSecret("password"),
		PasswordSource: r.readSecretSource("password"),
		Database:       r.readText("database"),
		Secure:         r.readBoolean("secure", false),
	}
	port := 8123
	if s.Secure {
		port = 8443
	}
	s.Port = r.readPort(port)
	s.TLSFiles = r.readTLSFiles(s.Secure, true, "set secure: true")
	return s
}

func readTrinoSettings(r *profileReader) WarehouseSettings {
	s := &Trino{
		Host:     r.readRequiredText("host"),
		Port:     r.readPort(8080),
		Username: r.readRequiredText("username"),
		Password: r.readSecret("password"),
		Catalog:  r.readText("catalog"),
		Schema:   r.readText("schema_name"),
		Scheme:   r.readChoice("http_scheme", "http", "http", "https"),
		Verify:   r.readBoolean("verify", true),

		PasswordSource:    r.readSecretSource("password"),
		SessionProperties: r.readSessionProperties(),
	}
	if s.Scheme == "http" && (!s.Password.IsZero() || s.PasswordSource != nil) {
		r.addProblem("password", "is never sent over plain HTTP", "set http_scheme: https, or leave the password out")
	}
	s.TLSFiles = r.readTLSFiles(s.Scheme == "https", s.Verify, "set http_scheme: https, and leave verify out")
	return s
}

func readSnowflakeSettings(r *profileReader) WarehouseSettings {
	s := &Snowflake{
		Account:        r.readRequiredText("account"),
		Username:       r.readRequiredText("username"),
		Password:       r.readSecret("password"),
		PasswordSource: r.readSecretSource("password"),
		PrivateKeyFile: r.readFilePath("private_key_file"),
		Warehouse:      r.readText("warehouse"),
		Database:       r.readText("database"),
		Schema:         r.readText("schema"),
		Role:           r.readText("role"),
	}
	given := !s.Password.IsZero() || s.PasswordSource != nil
	switch {
	case given && s.PrivateKeyFile != "":
		r.addProblem("password", "and private_key_file are both given", "give one of them")
	case !given && s.PrivateKeyFile == "" && !r.badSecret("password") && !r.bad["private_key_file"]:
		r.addProblem("password", "or private_key_file is missing", "")
	}
	return s
}

func readBigQuerySettings(r *profileReader) WarehouseSettings {
	return &BigQuery{
		Project:         r.readRequiredText("catalog"),
		Dataset:         r.readText("database"),
		CredentialsFile: r.readFilePath("credentials_path"),
		Location:        r.readText("location"),
		MaxBytesBilled:  r.readPositiveInteger("max_bytes_billed", 0, math.MaxInt),
	}
}

func readDatabricksSettings(r *profileReader) WarehouseSettings {
	s := &Databricks{
		Host:     strings.TrimSuffix(strings.TrimPrefix(r.readRequiredText("host"), "https://"), "/"),
		HTTPPath: r.readRequiredText("http_path"),
		Token:    r.readSecret("token"),
		Catalog:  r.readText("catalog"),
		Schema:   r.readText("schema"),

		TokenSource: r.readSecretSource("token"),
	}
	if s.Token.IsZero() && s.TokenSource == nil && !r.badSecret("token") {
		r.addProblem("token", "is missing", "")
	}
	return s
}
