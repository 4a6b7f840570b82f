CREATE TABLE orders (order_id INTEGER, buyer_id INTEGER, receiver_id INTEGER, product_id INTEGER, day DATE, made TIMESTAMP, status VARCHAR, amount INTEGER);
INSERT INTO orders VALUES
(1, 1, 2, 10, '2024-01-05', '2024-01-05 08:00:00', 'open', 100), (2, 1, 1, 11, '2024-01-20', '2024-01-20 23:30:00', 'open', 50),
(3, 2, 1, 10, '2024-02-10', '2024-02-10 00:00:00', 'closed', 80), (4, NULL, 2, 99, '2024-02-15', '2024-02-15 12:00:00', 'closed', 30),
(5, 3, 99, NULL, '2024-02-29', '2024-02-29 12:00:00', NULL, 120), (6, 1, 3, 11, NULL, NULL, 'open', 70), (7, 2, 2, 10, '2024-12-30', '2024-12-30 01:00:00', 'Open', NULL);
CREATE TABLE people (person_id INTEGER, region VARCHAR);
INSERT INTO people VALUES (1, 'east'), (2, 'west'), (3, NULL);
CREATE TABLE products (product_id INTEGER, category VARCHAR);
INSERT INTO products VALUES (10, 'books'), (11, 'toys');
CREATE TABLE offers (product_id INTEGER, first_day DATE, label VARCHAR);
INSERT INTO offers VALUES (10, '2024-01-01', 'low'), (10, '2024-02-01', 'high'), (11, '2024-01-01', 'low');
CREATE TABLE places (region VARCHAR, manager VARCHAR);
INSERT INTO places VALUES ('east', 'Ada'), ('west', 'Ben');
