/** Rates that nothing reaches, for tests and benches that call often. */
const roomy = { burst: 1e6, perSecond: 1e6 };
export const ROOMY_RATES = { credential: roomy, address: roomy, login: roomy, recipient: roomy };
