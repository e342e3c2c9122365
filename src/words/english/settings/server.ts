/** Texts of the Server page, with the proxy. */
export const server = {
  // Proxy
  proxy: 'Proxy',
  findProxy: 'network, connection, firewall, HTTP proxy',
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
  copyServerAddress: 'Copy server address',
  findServerAddress: 'status, online, connection, URL',
  serverStatus: 'Status',
  version: 'Version',
  findVersion: 'Waxwing version, release number',
} as const;
