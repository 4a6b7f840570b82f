package profile

import "strings"

func readClickHouse(r *reader) Settings {
	s := &ClickHouse{
		Host:     r.required("host"),
		Username: r.text("username"),
		Password: r.secret("password"),
		Database: r.text("database"),
		Secure:   r.flag("secure", false),
	}
	port := 8123
	if s.Secure {
		port = 8443
	}
	s.Port = r.port(port)
	return s
}

func readTrino(r *reader) Settings {
	s := &Trino{
		Host:     r.required("host"),
		Port:     r.port(8080),
		Username: r.required("username"),
		Password: r.secret("password"),
		Catalog:  r.text("catalog"),
		Schema:   r.text("schema_name"),
		Scheme:   r.choice("http_scheme", "http", "http", "https"),
		Verify:   r.flag("verify", true),
	}
	if s.Scheme == "http" && !s.Password.IsZero() {
		r.fail("password", "is never sent over plain HTTP", "set http_scheme: https, or leave the password out")
	}
	return s
}

func readSnowflake(r *reader) Settings {
	s := &Snowflake{
		Account:        r.required("account"),
		Username:       r.required("username"),
		Password:       r.secret("password"),
		PrivateKeyFile: r.filePath("private_key_file"),
		Warehouse:      r.text("warehouse"),
		Database:       r.text("database"),
		Schema:         r.text("schema"),
		Role:           r.text("role"),
	}
	switch {
	case !s.Password.IsZero() && s.PrivateKeyFile != "":
		r.fail("password", "and private_key_file are both given", "give one of them")
	case s.Password.IsZero() && s.PrivateKeyFile == "" && !r.bad["password"] && !r.bad["private_key_file"]:
		r.fail("password", "or private_key_file is missing", "")
	}
	return s
}

func readBigQuery(r *reader) Settings {
	return &BigQuery{
		Project:         r.required("catalog"),
		Dataset:         r.text("database"),
		CredentialsFile: r.filePath("credentials_path"),
		Location:        r.text("location"),
	}
}

func readDatabricks(r *reader) Settings {
	s := &Databricks{
		Host:     strings.TrimSuffix(strings.TrimPrefix(r.required("host"), "https://"), "/"),
		HTTPPath: r.required("http_path"),
		Token:    r.secret("token"),
		Catalog:  r.text("catalog"),
		Schema:   r.text("schema"),
	}
	r.key("token").Required = true
	if s.Token.IsZero() && !r.bad["token"] {
		r.fail("token", "is missing", "")
	}
	return s
}
