CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, order_date DATE, status VARCHAR, amount DECIMAL(12,2), gift BOOLEAN, weight DOUBLE);
INSERT INTO orders VALUES
	(1, 1, '2024-01-05', 'completed', 100, true, 0.5),
	(2, 1, '2024-01-20', 'completed', 50, false, 1.25),
	(3, 2, '2024-02-10', 'completed', 80, false, 2),
	(4, 2, '2024-02-15', 'cancelled', 30, true, NULL),
	(5, 3, '2024-02-20', 'completed', 120, NULL, 0.1),
	(6, 1, '2024-03-01', 'cancelled', 70, false, 10);
CREATE TABLE customers (customer_id BIGINT, region VARCHAR);
INSERT INTO customers VALUES (1, 'east'), (2, 'west'), (3, 'east');
CREATE TABLE numbers AS SELECT range AS n, range % 7 AS k FROM range(300000);
