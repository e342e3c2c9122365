/**
 * A certificate that signs itself, made by openssl.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  certificateFile: string;
  keyFile: string;
  /** The certificate, for who is to believe it. */
  text: string;
}

/** Makes one in a folder. */
export function makeCertificate(folder: string, host: string): Certificate {
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const files = ['-keyout', keyFile, '-out', certificateFile];
  execFileSync('openssl', ['req', ...kind, ...names, ...files], { stdio: 'ignore' });
  return { certificateFile, keyFile, text: readFileSync(certificateFile, 'utf8') };
}
