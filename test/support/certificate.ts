/**
 * Certificates, made by openssl.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  certificateFile: string;
  keyFile: string;
  /** The certificate, for programs that should trust it. */
  text: string;
}

/** Creates a self-signed certificate in a folder. */
export function makeCertificate(folder: string, host: string): Certificate {
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', ['req', ...kind, ...names, ...files], { stdio: 'ignore' });
  return { certificateFile, keyFile, text: readFileSync(certificateFile, 'utf8') };
}

/** Makes an unknown certificate authority, and a certificate that it has signed for some hosts. */
export function makeSignedCertificate(
  folder: string,
  hosts: readonly string[],
): Certificate & { authorityFile: string } {
  const names = ['authority.pem', 'authority-key.pem', 'certificate.pem', 'key.pem'];
  const [authorityFile = '', authorityKey = '', certificateFile = '', keyFile = ''] = names.map((name) =>
    join(folder, name),
  );
  const make = (key: string, certificate: string, more: string[]) => {
    const kind = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...more], {
      stdio: 'ignore',
    });
  };
  make(authorityKey, authorityFile, ['-subj', '/CN=A private authority']);
  const alternatives = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`;
  const leaf = ['-subj', `/CN=${hosts[0]}`, '-addext', alternatives, '-addext', 'basicConstraints=CA:FALSE'];
  make(keyFile, certificateFile, [...leaf, '-CA', authorityFile, '-CAkey', authorityKey]);
  return { authorityFile, certificateFile, keyFile, text: readFileSync(certificateFile, 'utf8') };
}
