import type { ArgumentNode, ProgramNode, Value } from '../../program/command-tree.ts';
import { type CommandPath, listCommandPaths, listNames, listValueFlags } from './command-paths.ts';

/** The completion for PowerShell 5.1 and newer. What it does not know it leaves to PowerShell, which completes files. */
export function writePowershellCompletion(program: ProgramNode): string {
  const commandPaths = listCommandPaths(program);
  const globals = program.globalOptions;
  const ownValues = commandPaths.flatMap(({ path, node }) =>
    node.options.flatMap((option) =>
      listNames(option).map((name): Entry => [`${path} ${name}`, writeValue(option.value)]),
    ),
  );
  const globalValues = globals.flatMap((option) =>
    listNames(option).map((name): Entry => [`* ${name}`, writeValue(option.value)]),
  );
  return `# petstore completion for PowerShell
Register-ArgumentCompleter -Native -CommandName petstore -ScriptBlock {
    param($word, $ast, $position)
    $paths = ${writeTable(commandPaths.flatMap(listNamesOfPath))}
    $options = ${writeTable(commandPaths.map(listOptions))}
    $globals = ${quote(globals.map(({ long }) => long).join(' '))}
    $values = ${writeTable([...ownValues, ...globalValues].filter(([, value]) => value !== ''))}
    $words = ${writeTable(commandPaths.flatMap(listWords))}
    $takesValue = ${quote(listValueFlags(program).join(' '))} -split ' '
    $path = 'petstore'; $given = 0; $flag = ''
    $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position })
    foreach ($one in @($before | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })) {
        if ($flag) { $flag = '' }
        elseif ($takesValue -ccontains $one) { $flag = $one }
        elseif ($one -like '-*') { }
        elseif ($paths.ContainsKey("$path $one")) { $path = $paths["$path $one"] }
        else { $given += 1 }
    }
    if ($flag) { $found = $values["$path $flag"]; if (-not $found) { $found = $values["* $flag"] } }
    elseif ($word -like '-*') { $found = "$($options[$path]) $globals" }
    else { $found = $words["$path $given"] }
    if ($found -eq 'environments') { $found = (petstore env list -q 2>$null) -join ' ' }
    if ($found) {
        $found.Trim() -split ' ' | Where-Object { $_ -like "$word*" } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
    }
}
`;
}

type Entry = readonly [key: string, value: string];

/** Every name of every command below a path, with the path it leads to. */
function listNamesOfPath({ path, node }: CommandPath): Entry[] {
  return node.commands.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((word): Entry => [`${path} ${word}`, `${path} ${name}`]),
  );
}

function listOptions({ path, node }: CommandPath): Entry {
  return [path, node.options.map(({ long }) => long).join(' ')];
}

function listWords({ path, node }: CommandPath): Entry[] {
  if (node.commands.length > 0)
    return [[`${path} 0`, node.commands.map(({ name }) => name).join(' ')]];
  return node.arguments.flatMap(({ value }: ArgumentNode, index): Entry[] => {
    const words = writeValue(value);
    return words === '' ? [] : [[`${path} ${index}`, words]];
  });
}

function writeValue(value: Value | undefined): string {
  if (value?.kind === 'environment') return 'environments';
  return value?.kind === 'choice' ? value.choices.join(' ') : '';
}

function writeTable(entries: readonly Entry[]): string {
  const lines = entries.map(([key, value]) => `        ${quote(key)} = ${quote(value)}\n`);
  return `@{\n${lines.join('')}    }`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
