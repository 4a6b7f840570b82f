CREATE TABLE teams (team_id INTEGER, team_name VARCHAR);
INSERT INTO teams VALUES (1, 'billing'), (2, 'network'), (3, 'front desk');
CREATE TABLE tickets (ticket_id INTEGER, team_id INTEGER, priority VARCHAR);
INSERT INTO tickets VALUES (1, 1, 'urgent'), (2, 1, 'normal'), (3, 2, 'urgent'), (4, 2, NULL), (5, NULL, 'urgent');
CREATE TABLE calls (call_id INTEGER, team_id INTEGER);
INSERT INTO calls VALUES (1, 1), (2, 1), (3, 3);
