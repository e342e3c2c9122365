/**
 * All device lists that an address has published: who has seen an older one verifies the way from it to the newest.
 */
export const listHistory = `
ALTER TABLE device_list RENAME TO newest_list;
CREATE TABLE device_list (
  account_id   INTEGER NOT NULL REFERENCES account (id),
  sequence     INTEGER NOT NULL,
  list         TEXT    NOT NULL, -- JSON, as it is published
  issued_at    INTEGER NOT NULL, -- as the list says
  published_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, sequence)
) STRICT;
INSERT INTO device_list
  SELECT account_id, sequence, list, issued, issued
    FROM (SELECT *, CAST(round(unixepoch(list ->> 'issued', 'subsec') * 1000) AS INTEGER) AS issued FROM newest_list);
DROP TABLE newest_list;
CREATE INDEX list_published ON device_list (account_id, published_at);
`;
