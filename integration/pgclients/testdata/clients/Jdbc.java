import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** pgjdbc: DatabaseMetaData, prepared statements in text and binary, fetch size, simple mode, and Statement.cancel. */
public class Jdbc {
    static String url(String options) {
        return "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/" + System.getenv("PGDATABASE") + "?sslmode=disable" + options;
    }

    static Connection connect(String options) throws SQLException {
        return DriverManager.getConnection(url(options), System.getenv("PGUSER"), System.getenv("PGPASSWORD"));
    }

    static String column(ResultSet rows, String name) throws SQLException {
        List<String> out = new ArrayList<>();
        while (rows.next()) {
            out.add(rows.getString(name));
        }
        return String.join(",", out);
    }

    static String join(ResultSet rows) throws SQLException {
        List<String> out = new ArrayList<>();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                Object v = rows.getObject(i);
                row.add(v == null ? "NULL" : v.toString());
            }
            out.add(String.join("|", row));
        }
        return String.join(";", out);
    }

    static String state(Statement s, String sql) {
        try {
            s.executeQuery(sql);
            return "";
        } catch (SQLException e) {
            return e.getSQLState();
        }
    }

    public static void main(String[] args) throws Exception {
        String byRegion = "SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1";
        try (Connection c = connect(""); Statement s = c.createStatement()) {
            DatabaseMetaData m = c.getMetaData();
            System.out.println("connect: " + m.getDatabaseProductVersion());
            System.out.println("list: " + column(m.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME"));
            System.out.println("describe: " + column(m.getColumns(null, "public", "orders", "%"), "COLUMN_NAME"));
            System.out.println("types: " + column(m.getColumns(null, "public", "orders", "%"), "TYPE_NAME"));
            System.out.println("query: " + join(s.executeQuery(byRegion)));
            PreparedStatement p = c.prepareStatement("SELECT order_id, amount FROM orders WHERE status = ? AND amount > ? ORDER BY order_id");
            p.setString(1, "completed");
            p.setBigDecimal(2, new java.math.BigDecimal("60"));
            String found = "";
            for (int i = 0; i < 8; i++) { // from the fifth on, as a statement on the server with binary rows
                found = join(p.executeQuery());
            }
            System.out.println("parameter: " + found);
            System.out.println("null: " + join(s.executeQuery("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")));
            c.setAutoCommit(false);
            s.setFetchSize(1000);
            long count = 0, sum = 0;
            try (ResultSet rows = s.executeQuery("SELECT n FROM numbers ORDER BY n LIMIT 10000")) {
                for (; rows.next(); count++) {
                    sum += rows.getLong(1);
                }
            }
            System.out.println("cursor: " + count + "/" + sum);
            c.commit();
            c.setAutoCommit(true);
            System.out.println("error: " + state(s, "SELECT nothing FROM orders"));
            new Thread(() -> {
                try {
                    Thread.sleep(1000);
                    s.cancel();
                } catch (Exception e) {
                    System.err.println(e);
                }
            }).start();
            System.out.println("cancel: " + state(s, System.getenv("SLOW")));
            System.out.println("again: " + join(s.executeQuery("SELECT COUNT(*) FROM orders")));
        }
        try (Connection c = connect("&preferQueryMode=simple"); Statement s = c.createStatement()) {
            if (!join(s.executeQuery(byRegion)).equals("east|340.00|4;west|110.00|2")) {
                throw new AssertionError("the simple mode");
            }
        }
    }
}
