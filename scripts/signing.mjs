/**
 * Certificates for electron-builder, from the environment.
 */

/** Its names for certificates, their passwords, and the credentials of Apple's notary service. */
const ABOUT_SIGNING = /^(?:(?:WIN_)?CSC|APPLE)_/;

/**
 * The environment without the variables of signing that are empty. A workflow sets a missing secret to an empty text,
 * and electron-builder takes an empty CSC_LINK for the path of a certificate.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutEmptySigning(environment) {
  const isSaid = ([name, value]) => !ABOUT_SIGNING.test(name) || value?.trim() !== '';
  return Object.fromEntries(Object.entries(environment).filter(isSaid));
}
