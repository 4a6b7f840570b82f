CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, amount INTEGER);
INSERT INTO orders VALUES (1, 1, 10), (2, NULL, 7), (3, 99, 5);
CREATE TABLE customers (customer_id INTEGER, region VARCHAR, channel VARCHAR);
INSERT INTO customers VALUES (1, 'north', NULL);
