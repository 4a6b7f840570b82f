import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;

/** Calls the methods of DatabaseMetaData that ask the server. */
public class Metadata {
    interface Call {
        ResultSet run() throws SQLException;
    }

    static void read(Call call) {
        try (ResultSet rows = call.run()) {
            while (rows.next()) {
                rows.getObject(1);
            }
        } catch (SQLException e) {
            System.err.println(e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        String url = "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/" + System.getenv("PGDATABASE") + "?sslmode=disable";
        try (Connection c = DriverManager.getConnection(url, System.getenv("PGUSER"), System.getenv("PGPASSWORD"))) {
            DatabaseMetaData m = c.getMetaData();
            String[] tables = {"orders", "customers", "Order Items", "events", "shop"};
            read(() -> m.getCatalogs());
            read(() -> m.getSchemas());
            read(() -> m.getSchemas(null, "pub%"));
            read(() -> m.getTables(null, null, "%", null));
            read(() -> m.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"}));
            read(() -> m.getTables(null, "public", "ord%", new String[] {"TABLE"}));
            read(() -> m.getTables(null, "pg_catalog", "pg_cl%", new String[] {"SYSTEM TABLE"}));
            read(() -> m.getTables(null, "information_schema", "%", new String[] {"SYSTEM VIEW", "VIEW"}));
            read(() -> m.getTableTypes());
            for (String table : tables) {
                read(() -> m.getColumns(null, "public", table, "%"));
                read(() -> m.getPrimaryKeys(null, "public", table));
                read(() -> m.getImportedKeys(null, "public", table));
                read(() -> m.getExportedKeys(null, "public", table));
                read(() -> m.getIndexInfo(null, "public", table, false, true));
                read(() -> m.getIndexInfo(null, "public", table, true, false));
                read(() -> m.getBestRowIdentifier(null, "public", table, DatabaseMetaData.bestRowSession, true));
                read(() -> m.getVersionColumns(null, "public", table));
                read(() -> m.getTablePrivileges(null, "public", table));
                read(() -> m.getColumnPrivileges(null, "public", table, "%"));
            }
            read(() -> m.getColumns(null, null, "orders", "order%"));
            read(() -> m.getCrossReference(null, "public", "customers", null, "public", "orders"));
            read(() -> m.getTypeInfo());
            read(() -> m.getFunctions(null, "public", "%"));
            read(() -> m.getFunctions(null, "pg_catalog", "version"));
            read(() -> m.getProcedures(null, "public", "%"));
            read(() -> m.getProcedureColumns(null, "public", "%", "%"));
            read(() -> m.getUDTs(null, "public", "%", null));
            read(() -> m.getClientInfoProperties());
            m.getSQLKeywords();
            m.getMaxColumnNameLength();
            m.getDatabaseProductVersion();
            try (Statement s = c.createStatement(); ResultSet rows = s.executeQuery("SELECT * FROM public.orders")) {
                ResultSetMetaData d = rows.getMetaData();
                for (int i = 1; i <= d.getColumnCount(); i++) {
                    d.getColumnName(i);
                    d.isNullable(i);
                    d.isAutoIncrement(i);
                    d.getTableName(i);
                    d.getColumnTypeName(i);
                }
            }
            try (Statement s = c.createStatement(); ResultSet rows = s.executeQuery("SELECT 'a'::name, 1::oid, ARRAY['x']::text[], 'pg_class'::regclass, '1 2'::int2vector")) {
                rows.next();
                for (int i = 1; i <= 5; i++) {
                    rows.getObject(i);
                    rows.getMetaData().getColumnTypeName(i);
                    rows.getMetaData().getColumnClassName(i);
                }
            }
            c.getSchema();
            c.isValid(5);
            c.setReadOnly(true);
        }
    }
}
