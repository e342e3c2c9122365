/**
 * A command of the parser, with a rule for ids that begin with a dash.
 */
import { Command, type ParseOptionsResult } from 'commander';

/** 16 bytes in base64url, the ids of devices and groups: one in 64 begins like an option. */
const ID_WITH_DASH = /^-[A-Za-z0-9_-]{20}[AQgw]$/;

/**
 * A command that accepts ids with a leading dash as arguments, unless one is an option of the command. Its
 * subcommands do the same.
 */
export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    const parsed = super.parseOptions(args);
    if (this.commands.length > 0 || this.registeredArguments.length === 0) return parsed;
    // After the first unknown option, the parser treats all others as unknown, except known options.
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
