CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, product_id INTEGER, order_date DATE, status VARCHAR, amount INTEGER);
INSERT INTO orders VALUES
    (1, 1, 10, '2024-01-05', 'completed', 100), (2, 1, 11, '2024-01-20', 'completed', 50),
    (3, 2, 10, '2024-02-10', 'completed', 80), (4, 2, 11, '2024-02-15', 'cancelled', 30),
    (5, 3, 12, '2024-02-20', 'completed', 120), (6, 1, 12, '2024-03-01', 'cancelled', 70);
CREATE TABLE customers (customer_id INTEGER, region VARCHAR, signup_date DATE);
INSERT INTO customers VALUES (1, 'east', '2023-12-01'), (2, 'west', '2023-11-15'), (3, 'east', '2024-01-10');
CREATE TABLE products (product_id INTEGER, category VARCHAR, unit_cost INTEGER);
INSERT INTO products VALUES (10, 'books', 20), (11, 'toys', 10), (12, 'books', 60);
