/** Common parts of the commands about groups: the password option, and the output of a group. */
import type { Group } from '../client/shapes.ts';
import { commandError } from './command-error.ts';
import type { ConnectionOptions } from './connection.ts';
import { columns } from './output.ts';
import { count, shortAddress } from './people.ts';
import { oneLine, print, printJson } from './printing.ts';
import { readText } from './secrets.ts';

export interface PasswordOptions extends ConnectionOptions {
  passwordFile?: string;
}

export interface JoiningOptions extends PasswordOptions {
  open?: true;
}

export const PASSWORD_OPTION = [
  '--password-file <file>',
  'the file with the join password; - for standard input; or set WAXWING_GROUP_PASSWORD',
] as const;

/** Texts for the ways to join. */
export const JOINING = { open: 'anyone', password: 'by password', invite: 'by invitation' } as const;

/** The given password, if any. */
export async function passwordOf({ passwordFile }: PasswordOptions): Promise<{ password?: string }> {
  if (passwordFile !== undefined) return { password: await readText(passwordFile, 'The password') };
  const password = process.env.WAXWING_GROUP_PASSWORD;
  return password ? { password } : {};
}

/**
 * The chosen way to join: open, by password, or by invitation only.
 * @throws CommandError for two of them, because a group with a password is not open
 */
export async function joiningOf(options: JoiningOptions): Promise<{ open: boolean; password?: string }> {
  const password = await passwordOf(options);
  if (options.open && password.password !== undefined) throw commandError('usage', 'joining_twice');
  return { open: options.open ?? false, ...password };
}

/** Prints a group. */
export async function printGroup(group: Group, { json }: ConnectionOptions): Promise<void> {
  if (json) return printJson(group);
  const tokens = group.botTokens?.map(({ id, name, prefix, revokedAt }) => [
    revokedAt === null ? 'token' : 'revoked',
    `${id}  ${prefix}…  ${oneLine(name)}`,
  ]);
  const bots = group.bots.map(({ key, name }) => ['bot', `${oneLine(name)}  ${key}`]);
  const roleOf = (member: string) => (group.admins.includes(member) ? 'admin' : 'member');
  await print(
    columns([
      ['id', group.id],
      ['name', oneLine(group.name) + (group.verified ? ' (verified)' : '')],
      ['about', oneLine(group.description)],
      ['owner', group.creator === null ? 'has left' : shortAddress(group.creator)],
      ['joining', JOINING[group.join]],
      ...(group.problem === null ? [] : [['stopped', group.problem]]),
      ...group.members.map((member) => [
        member === group.creator ? 'owner' : roleOf(member),
        `${shortAddress(member)}  ${count(group.memberDeviceKeys[member]?.length ?? 0, 'device')}`,
      ]),
      ...bots,
      ...(group.unsignedBots ? [['unsigned', 'posts with a token alone are shown']] : []),
      ...(tokens ?? []),
    ]),
  );
}
