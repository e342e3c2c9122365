/**
 * Writes the generated parts of docs/cli.md from the help of the commands: node scripts/make-cli-page.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ALL_COMMANDS, COMMAND_NAMES } from '../src/cli/all-commands.ts';
import { EXIT_MEANINGS } from '../src/cli/exit-codes.ts';
import { createProgram } from '../src/cli/program.ts';

export const PAGE = new URL('../docs/cli.md', import.meta.url);

/** The page with its generated parts as they have to be; what a person wrote around them stays. */
export async function cliPage(page: string): Promise<string> {
  return replacePart(replacePart(page, 'exit codes', exitCodes()), 'commands', await commandReference());
}

function replacePart(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/cli.md lacks ${begin} or ${end}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return ['| code | meaning |', '| --- | --- |', ...rows].join('\n');
}

async function commandReference(): Promise<string> {
  const program = await createProgram(COMMAND_NAMES, ALL_COMMANDS);
  return program.commands.flatMap(sectionsOf).join('\n\n');
}

function sectionsOf(command: Command): string[] {
  const help = command.createHelp();
  if (help.visibleCommands(command.parent ?? command).every((other) => other !== command)) return [];
  const rows = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option) => `| \`${option.flags}\` | ${option.description} |`);
  const section = [
    `### \`${help.commandUsage(command).replace(/ \[(?:options|command)\]/g, '')}\``,
    `${sentence(command.description())}`,
    ...(rows.length > 0 ? [['| option | meaning |', '| --- | --- |', ...rows].join('\n')] : []),
    ...afterwards(command),
  ].join('\n\n');
  return [section, ...command.commands.flatMap(sectionsOf)];
}

/** The examples of a command's help as code, and the text after them. */
function afterwards(command: Command): string[] {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  const [, after = ''] = text.split(/\nExamples?:\n/);
  const [examples = '', ...prose] = after.trimEnd().split('\n\n');
  const commands = examples.replace(/^ {2}(?:\$ )?/gm, '').trimEnd();
  return [...(commands === '' ? [] : [`\`\`\`sh\n${commands}\n\`\`\``]), ...prose];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

if (import.meta.main) writeFileSync(PAGE, await cliPage(readFileSync(PAGE, 'utf8')));
