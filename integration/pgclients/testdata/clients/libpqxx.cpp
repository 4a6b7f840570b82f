// libpqxx: transactions that read, prepared statements, a cursor, COPY through a stream, and cancel from another thread.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include <pqxx/pqxx>

static std::string join(const pqxx::result &rows) {
    std::string out;
    for (const auto &row : rows) {
        if (!out.empty()) out += ";";
        for (pqxx::row::size_type i = 0; i < row.size(); i++) {
            if (i > 0) out += "|";
            out += row[i].is_null() ? "NULL" : row[i].c_str();
        }
    }
    return out;
}

static std::string column(const pqxx::result &rows) {
    std::string out;
    for (const auto &row : rows) out += (out.empty() ? "" : ",") + std::string(row[0].c_str());
    return out;
}

static std::string state(pqxx::connection &db, const std::string &sql) {
    try {
        pqxx::nontransaction(db).exec(sql);
    } catch (const pqxx::sql_error &e) {
        return e.sqlstate();
    }
    return "";
}

int main() {
    pqxx::connection db;
    {
        pqxx::nontransaction w(db);
        std::cout << "connect: " << column(w.exec("SHOW server_version")) << "\n";
        std::cout << "list: " << column(w.exec("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")) << "\n";
        auto empty = w.exec("SELECT * FROM orders LIMIT 0");
        std::cout << "fields: ";
        for (pqxx::row::size_type i = 0; i < empty.columns(); i++) std::cout << (i ? "," : "") << empty.column_name(i);
        std::cout << "\nquery: " << join(w.exec("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")) << "\n";
        db.prepare("by_status", "SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id");
        std::cout << "parameter: " << join(w.exec_prepared("by_status", "completed", 60)) << "\n";
        std::cout << "null: " << join(w.exec("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")) << "\n";
    }
    {
        pqxx::read_transaction t(db);
        long count = 0, sum = 0;
        pqxx::icursorstream cursor(t, "SELECT n FROM numbers ORDER BY n LIMIT 10000", "c", 1000);
        for (pqxx::result part; cursor.get(part), !part.empty();) {
            for (const auto &row : part) sum += row[0].as<long>();
            count += part.size();
        }
        std::cout << "cursor: " << count << "/" << sum << "\n";
    }
    std::cout << "error: " << state(db, "SELECT nothing FROM orders") << "\n";
    std::thread canceller([&db] {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        db.cancel_query();
    });
    std::cout << "cancel: " << state(db, std::getenv("SLOW")) << "\n";
    canceller.join();
    std::cout << "again: " << column(pqxx::nontransaction(db).exec("SELECT COUNT(*) FROM orders")) << "\n";
}
