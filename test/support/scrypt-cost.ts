/** The environment variable with which scrypt costs in tests as much as is asked for. It is read at each call. */
export const FULL_COST = 'WAXWING_TEST_FULL_SCRYPT';
