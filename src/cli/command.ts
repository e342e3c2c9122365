/**
 * A command of the parser, with rules for ids that begin with a dash and for empty paths.
 */
import { type Argument, Command, type Option, type ParseOptionsResult } from 'commander';
import { argumentError } from './command-error.ts';

/** Names of values in help that are paths. */
export const PATHS: readonly (string | undefined)[] = ['file', 'folder', 'place'];

/** The name of an option's value in help, as in `--data <folder>`. */
export function valueNameOf(option: Option): string | undefined {
  return /[<[]([\w-]+)/.exec(option.flags)?.[1];
}

/** 16 bytes in base64url, the ids of devices and groups: one in 64 begins like an option. */
const ID_WITH_DASH = /^-[A-Za-z0-9_-]{20}[AQgw]$/;

/**
 * A command that accepts ids with a leading dash as arguments, unless one is an option of the command. Its
 * subcommands do the same. It refuses an empty path: `--data "$UNSET"` would use the current folder.
 */
export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  override addOption(option: Option): this {
    if (PATHS.includes(valueNameOf(option))) refuseEmpty(option);
    return super.addOption(option);
  }

  override addArgument(argument: Argument): this {
    if (PATHS.includes(argument.name())) refuseEmpty(argument);
    return super.addArgument(argument);
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

function refuseEmpty(part: Option | Argument): void {
  const parse = part.parseArg;
  part.argParser((text: string, previous: unknown) => {
    if (text === '') throw argumentError('path_empty');
    return parse ? parse(text, previous) : text;
  });
}

function isArgument(arg: string): boolean {
  return !arg.startsWith('-') || arg === '-' || ID_WITH_DASH.test(arg);
}
