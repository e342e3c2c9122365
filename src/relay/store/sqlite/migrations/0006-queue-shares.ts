/**
 * How much of each queue is whose, so that one sender or one network never takes all of it.
 */
export const queueShares = `
-- Where it was sent from: a hash under a key that the process alone knows. Null where that says nothing.
ALTER TABLE sealed ADD COLUMN network BLOB;

-- What waits in a queue, by who takes up the room: an address (20 bytes), the programs of an address (a byte more), a
-- network (16). A row goes with the last envelope that it counts.
CREATE TABLE queue_share (
  device    INTEGER NOT NULL,
  holder    BLOB    NOT NULL,
  envelopes INTEGER NOT NULL,
  bytes     INTEGER NOT NULL,
  PRIMARY KEY (device, holder)
) STRICT, WITHOUT ROWID;
INSERT INTO queue_share
  SELECT device, sender, count(*), sum(size)
    FROM delivery JOIN envelope ON envelope.id = envelope_id JOIN sealed USING (envelope_id)
   GROUP BY device, sender;
INSERT INTO queue_share
  SELECT device, CAST(sender || x'01' AS BLOB), count(*), sum(size)
    FROM delivery JOIN envelope ON envelope.id = envelope_id JOIN sealed USING (envelope_id)
   WHERE via <> 'session' GROUP BY device, sender;
`;
