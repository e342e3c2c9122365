/** The environment variable that requests scrypt's real cost in tests. It is read at each call. */
export const FULL_COST = 'WAXWING_TEST_FULL_SCRYPT';
