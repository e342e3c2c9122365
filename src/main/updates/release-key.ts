/**
 * Signing key and server of the accepted releases. Another publisher of the app sets both: docs/releasing.md.
 */

/** Ed25519, as SubjectPublicKeyInfo (RFC 8410) in Base64. Made by scripts/new-release-key.mjs. */
export const RELEASE_KEY = 'MCowBQYDK2VwAyEAoHhR3tp9oxicPIQm5vB0u5ZQquPaa06x6OT4niJkemc=';

/** The folder with manifests and packages. The same as `publish` in electron-builder.yml. */
export const UPDATE_SERVER = 'https://updates.waxwing.example';
