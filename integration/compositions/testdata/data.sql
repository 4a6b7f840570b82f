CREATE TABLE sales (id INTEGER, region VARCHAR(20), category VARCHAR(20), amount INTEGER, quantity INTEGER, sold DATE);
INSERT INTO sales VALUES
 (1, 'east', 'books', 100, 2, '2024-01-05'), (2, 'east', 'books', 100, 2, '2024-01-20'), (3, 'east', 'toys', 50, 0, '2024-02-03'),
 (4, 'west', 'books', 200, 5, '2024-02-10'), (5, 'west', NULL, 50, 1, '2024-02-29'), (6, 'north', 'toys', 250, 10, '2024-03-01'),
 (7, NULL, 'toys', 30, 3, '2024-03-15'), (8, NULL, NULL, NULL, NULL, '2024-03-31'), (9, 'south', 'games', 0, 0, '2024-04-01'),
 (10, 'south', 'games', 70, 7, '2024-04-30');
CREATE TABLE regions (region VARCHAR(20), manager VARCHAR(20));
INSERT INTO regions VALUES ('east', 'ann'), ('west', 'bob'), ('north', NULL), ('centre', 'cid');
CREATE TABLE visits (id INTEGER, day TIMESTAMP);
INSERT INTO visits VALUES (1, '2024-01-05 08:00:00'), (2, '2024-01-05 20:30:00'), (3, '2024-02-29 00:00:00'), (4, NULL);
