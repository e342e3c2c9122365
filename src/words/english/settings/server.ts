/** Texts of the Server page, with the proxy. */
export const server = {
  // Proxy
  proxy: 'Proxy',
  proxySystem: 'Use system proxy',
  proxyNone: 'No proxy',
  proxyThis: 'This address',
  proxyText: 'A server on this computer is never reached through a proxy.',
  proxyAddress: 'Proxy address',
  proxyHint: 'A host and port, like proxy.example:8080',
  proxyMalformed: 'Enter a host and port, without a name or password.',
  proxySave: 'Save proxy',

  // Server
  server: 'Server',
  serverAddress: 'Server address',
  serverStatus: 'Status',
  version: 'Version',
} as const;
