import type { OptionNode, ProgramNode, Value } from '../../program/command-tree.ts';
import { type CommandPath, listCommandPaths, listValueFlags } from './command-paths.ts';

/** The completion for fish 3 and newer. */
export function writeFishCompletion(program: ProgramNode): string {
  const commandPaths = listCommandPaths(program);
  return `# petstore completion for fish
function __petstore_command
    set -l command petstore
    set -l given 0
    set -l skips no
    for word in (commandline -opc)[2..]
        if test $skips = yes
            set skips no
            continue
        end
        switch $word
            case ${listValueFlags(program).join(' ')}
                set skips yes
            case '-*'
            case '*'
                switch "$command $word"
${commandPaths.flatMap(matchSubcommands).join('\n')}
                    case '*'
                        set given (math $given + 1)
                end
        end
    end
    printf '%s\\n' $command $given
end
function __petstore_at
    set -l now (__petstore_command)
    test "$now[1]" = "$argv[1]"; and test (count $argv) = 1 -o "$now[2]" = "$argv[2]"
end
function __petstore_environments
    petstore env list -q 2>/dev/null
end
complete -c petstore -f
${program.globalOptions.map((option) => describeOption(option)).join('\n')}
${commandPaths.flatMap(describeCommandPath).join('\n')}
`;
}

function matchSubcommands({ path, node }: CommandPath): string[] {
  return node.commands.map(({ name, aliases }) => {
    const words = [name, ...aliases].map((word) => `'${path} ${word}'`).join(' ');
    return `                    case ${words}\n                        set command '${path} ${name}'`;
  });
}

function describeCommandPath({ path, node }: CommandPath): string[] {
  const commands = node.commands.map(
    ({ name, summary }) => `${at(path, 0)} -a ${name} -d ${quote(summary)}`,
  );
  const options = node.options.map((option) => describeOption(option, path));
  const words = node.commands.length > 0 ? [] : node.arguments;
  const values = words.map(({ value }, index) =>
    `${at(path, index)} ${completeValue(value)}`.trimEnd(),
  );
  return [...commands, ...options, ...values];
}

function describeOption({ long, short, description, value }: OptionNode, path?: string): string {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
  const valuePart =
    value === undefined ? '' : ` ${value.kind === 'file' ? '-r' : '-x'} ${completeValue(value)}`;
  const start = path === undefined ? 'complete -c petstore' : at(path);
  return `${start} ${names}${valuePart.trimEnd()} -d ${quote(description)}`;
}

/** A completion for one command, after that many words which are not commands. */
function at(path: string, given?: number): string {
  const count = given === undefined ? '' : ` ${given}`;
  return `complete -c petstore -n "__petstore_at '${path}'${count}"`;
}

function completeValue({ kind, choices }: Value): string {
  const words = {
    choice: `-a ${quote(choices.join(' '))}`,
    environment: "-a '(__petstore_environments)'",
    file: '-F',
    other: '',
  };
  return words[kind];
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
