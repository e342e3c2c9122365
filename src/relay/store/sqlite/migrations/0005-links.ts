/**
 * What waits under a one-time code for another computer of the same person, until it is taken or its time is over.
 */
export const links = `
CREATE TABLE link (
  link_id    BLOB    PRIMARY KEY CHECK (length(link_id) = 16),
  account_id INTEGER NOT NULL REFERENCES account (id),
  sealed     BLOB    NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_account ON link (account_id);
CREATE INDEX link_expiry ON link (expires_at);
`;
