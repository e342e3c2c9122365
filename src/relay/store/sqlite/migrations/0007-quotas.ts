/**
 * What quotas need to be counted and kept.
 */
export const quotas = `
-- Finds the oldest retired keys of an account, so that they never pile up.
CREATE INDEX retired_key_account ON retired_key (account_id, retired_at);
-- Finds verified handles where few are.
CREATE INDEX verified_handle ON handle (handle) WHERE is_public = 1 AND verified = 1;
`;
