import { Argument, type Command, Option } from 'commander';
import { listNames } from '../config/environments.ts';
import { UserError } from '../errors.ts';
import { completeLine } from '../program/complete-line.ts';
import type { Context, RunAction } from '../program/context.ts';
import { describeCommand } from '../program/help.ts';
import { parseChoice } from '../program/values.ts';

/**
 * What each shell runs when Tab is pressed: it asks `petstore completion --line` for lines of a value, a tab and a meaning.
 * Where there are none, the shell completes files.
 */
const scripts = {
  // bash takes --flag=value for three words, of which it replaces only the last.
  bash: `_petstore() {
  local IFS=$'\\n' line="\${COMP_LINE:0:COMP_POINT}"
  COMPREPLY=($(compgen -W "$(petstore completion --line="$line" 2>/dev/null | cut -f1)"))
  [[ $line == *=* ]] && COMPREPLY=("\${COMPREPLY[@]#--*=}")
}
complete -o default -F _petstore petstore
`,
  zsh: `#compdef petstore
_petstore() {
  local -a found=("\${(@f)$(petstore completion --line="\${(j: :)words[1,CURRENT]}" 2>/dev/null)}")
  found=("\${(@)\${(@)found//$'\\t'/:}%:}")
  [[ -n $found ]] && _describe petstore found || _files
}
if [[ $funcstack[1] == _petstore ]]; then _petstore; else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i -D }
  compdef _petstore petstore
fi
`,
  fish: `function __petstore_complete
  set -l found (petstore completion --line=(commandline -cp | string collect) 2>/dev/null)
  if set -q found[1]; printf '%s\\n' $found; else; __fish_complete_path (commandline -ct); end
end
complete -c petstore -f -a '(__petstore_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName petstore -ScriptBlock {
  param($word, $ast, $position)
  $line = "$ast".PadRight($position - $ast.Extent.StartOffset).Substring(0, $position - $ast.Extent.StartOffset)
  petstore completion "--line=$line" 2>$null | ForEach-Object {
    $value, $meaning = $_ -split "\`t", 2
    if (-not $meaning) { $meaning = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $meaning)
  }
}
`,
} as const;
type Shell = keyof typeof scripts;
const shells = ['bash', 'zsh', 'fish', 'powershell'] as const satisfies readonly Shell[];

export function declare(command: Command, run: RunAction): void {
  command
    .addArgument(
      new Argument('[shell]', 'the one in use unless given')
        .choices(shells)
        .argParser((text) => parseChoice(text, 'a shell', shells)),
    )
    .addOption(new Option('--line <text>', 'asked by the scripts').hideHelp())
    .action(run(printCompletion));
  describeCommand(command, {
    sentence: 'Print the script that completes commands, options and environments on Tab.',
    examples: [
      'petstore completion bash >> ~/.bashrc',
      'petstore completion zsh >> ~/.zshrc',
      'petstore completion fish > ~/.config/fish/completions/petstore.fish',
    ],
    also: '-q',
  });
}

async function printCompletion(
  context: Context,
  shell: Shell | undefined,
  { line }: { line?: string },
): Promise<void> {
  if (line !== undefined) return await completeTyped(context, line);
  const chosen = shell ?? findShell(context.variables.SHELL);
  if (chosen !== undefined) return await context.terminal.write(scripts[chosen]);
  throw new UserError('cli_usage', 'Name your shell: bash, zsh, fish or powershell.', {
    try: [['petstore', 'completion', 'bash']],
  });
}

/** @param variable `SHELL`, which Windows has in Git Bash alone */
export function findShell(variable = '', platform = process.platform): Shell | undefined {
  const found = shells.find((name) => new RegExp(`[\\\\/]${name}(\\.exe)?$`).test(variable));
  return found ?? (platform === 'win32' && variable === '' ? 'powershell' : undefined);
}

async function completeTyped(context: Context, line: string): Promise<void> {
  const found = completeLine(await context.loadProgram(), line, listKnownNames(context));
  await context.terminal.write(
    found.map(({ value, meaning }) => `${value}\t${meaning}\n`).join(''),
  );
}

/** A config file that cannot be read is no reason to complete nothing. */
function listKnownNames({ config, variables }: Context): string[] {
  try {
    return listNames({ config: config.read(), variables });
  } catch {
    return [];
  }
}
