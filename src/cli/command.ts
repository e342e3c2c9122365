/**
 * A command of the parser, with a rule for ids that begin with a dash.
 */
import { Command, type ParseOptionsResult } from 'commander';

/** 16 bytes in base64url, as the ids of devices and groups are: one in 64 begins as an option does. */
const ID_WITH_DASH = /^-[A-Za-z0-9_-]{20}[AQgw]$/;

/**
 * A command that takes an id that begins with a dash as an argument, unless it is one of the command's options. Commands
 * that are made from it do the same.
 */
export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(args);
    if (this.commands.length > 0 || this.registeredArguments.length === 0) return parsed;
    // From the first option on that the parser does not know, all is unknown to it but the options that it knows.
    const { operands, unknown } = parsed;
    const end = unknown.findIndex((arg) => !isArgument(arg));
    if (end === -1) return { operands: [...operands, ...unknown], unknown: [] };
    const [found, rest] = [unknown.slice(0, end), unknown.slice(end)];
    return rest[0] === '--'
      ? { operands: [...operands, ...found, ...rest.slice(1)], unknown: [] }
      : { operands: [...operands, ...found], unknown: rest };
  }
}

function isArgument(arg: string): boolean {
  return !arg.startsWith('-') || arg === '-' || ID_WITH_DASH.test(arg);
}
