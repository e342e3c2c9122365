/**
 * Seal keys that follow their device, and seal keys that are taken a little longer than they are shown.
 */
export const sealKeyWindows = `
-- Into whose queue copies for the key still go, and until when. 0: none do.
ALTER TABLE retired_key ADD COLUMN device INTEGER;
ALTER TABLE retired_key ADD COLUMN taken_until INTEGER NOT NULL DEFAULT 0;

-- A device may log in before it has a queue: renewals are the account's and the device id's.
ALTER TABLE renewal RENAME TO queue_renewal;
CREATE TABLE renewal (
  account_id INTEGER NOT NULL,
  device_id  BLOB    NOT NULL CHECK (length(device_id) = 16),
  issued_at  INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_id, issued_at)
) STRICT, WITHOUT ROWID;
INSERT INTO renewal
  SELECT account_id, device_id, issued_at FROM queue_renewal JOIN device ON device.id = queue_renewal.device;
DROP TABLE queue_renewal;
CREATE INDEX renewal_time ON renewal (issued_at);
`;
