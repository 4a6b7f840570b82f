CREATE TABLE v (k INTEGER, whole BIGINT, share DOUBLE, money DECIMAL(12, 2), flag BOOLEAN, name VARCHAR, day DATE, moment TIMESTAMP, nothing INTEGER);
INSERT INTO v VALUES
    (1, 9007199254740993, 0.5, 12.30, true, 'Łódź "x"', '2024-02-29', '2024-02-29 12:30:00.5', NULL),
    (2, -1, -2.25, -0.05, false, '', '2024-03-31', '1969-12-31 23:59:59', NULL),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 7);
