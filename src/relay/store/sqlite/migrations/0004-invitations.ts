/**
 * Who may join a group without its password, because its creator asked them to.
 */
export const invitations = `
CREATE TABLE invitation (
  group_id   INTEGER NOT NULL REFERENCES chat_group (id),
  account_id INTEGER NOT NULL REFERENCES account (id),
  invited_at INTEGER NOT NULL,
  PRIMARY KEY (group_id, account_id)
) STRICT, WITHOUT ROWID;
`;
