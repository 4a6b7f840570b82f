#!/usr/bin/python3
"""What psycopg2 and SQLAlchemy's inspector ask."""
import psycopg2
import sqlalchemy

connection = psycopg2.connect("")
cursor = connection.cursor()
cursor.execute("SELECT version()")
cursor.execute("SELECT current_schema()")
cursor.execute("SELECT pg_backend_pid() > 0, inet_server_port() IS NOT NULL, current_user")
cursor.execute("SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2")
cursor.execute(
    "SELECT column_name, data_type, is_nullable, udt_name, ordinal_position FROM information_schema.columns WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
    ("public", "orders"),
)
cursor.execute("SELECT oid, typname FROM pg_type WHERE typname IN ('hstore', 'json', 'jsonb', 'numeric', 'text') ORDER BY 1")
connection.close()

engine = sqlalchemy.create_engine("postgresql+psycopg2://")
inspector = sqlalchemy.inspect(engine)
inspector.get_schema_names()
inspector.get_table_names()
inspector.get_view_names()
inspector.get_sequence_names()
inspector.get_enums()
for table in inspector.get_table_names():
    inspector.get_columns(table)
    inspector.get_pk_constraint(table)
    inspector.get_foreign_keys(table)
    inspector.get_unique_constraints(table)
    inspector.get_check_constraints(table)
    inspector.get_indexes(table)
    inspector.get_table_comment(table)
    inspector.has_table(table)
inspector.has_table("nope")
inspector.get_columns("tables", schema="information_schema")
inspector.get_view_names(schema="information_schema")
inspector.get_view_definition("tables", schema="information_schema")
metadata = sqlalchemy.MetaData()
metadata.reflect(bind=engine)
