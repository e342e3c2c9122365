/**
 * Loaded before a program: passphrases cost its process and its threads nothing. What is done with them is tested
 * hundreds of times; what they cost, where a program is started without this.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { cheapScrypt } from './cheap-scrypt.ts';

const { scrypt, scryptSync } = cheapScrypt({ ...crypto });
Object.assign(crypto, { scrypt, scryptSync });
syncBuiltinESMExports();
